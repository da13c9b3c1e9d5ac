-- Sign-in by OpenID Connect: who a provider's subject is here, and the sign-ins under way.

create table pumphouse.oidc_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references public."user" on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index oidc_identity_user_id_idx on pumphouse.oidc_identity (user_id);

-- A row lives from the way to the provider to the way back, ten minutes at most.
create table pumphouse.oidc_sign_in (
  state_hash bytea primary key,
  nonce text not null,
  verifier text not null,
  return_to text not null,
  created_at timestamptz not null default now()
);
create index oidc_sign_in_created_at_idx on pumphouse.oidc_sign_in (created_at);

select pumphouse.bound_times('pumphouse.oidc_identity');
select pumphouse.bound_times('pumphouse.oidc_sign_in');
