-- Subscriptions of one document of configuration may change places: where it is asked for, the key is held at the end. Any other
-- statement is refused at once, as before.
alter table public.subscription
  drop constraint subscription_datamodel_id_target_connector_id_target_table_key,
  add constraint subscription_datamodel_id_target_connector_id_target_table_key
    unique (datamodel_id, target_connector_id, target_table_name) deferrable initially immediate;
