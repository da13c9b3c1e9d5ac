// A datamodel is made or changed: of which source, under which name, on which topics.
import { useLocation } from 'wouter';
import { useScope, useScoped } from '../app/scope';
import { ConnectorSelect } from '../connectors/ConnectorSelect';
import { ErrorTableFields, errorTableOf } from '../connectors/ErrorTableFields';
import { CreateDatamodelDocument, UpdateDatamodelDocument, type DatamodelFormFragment } from '../client/generated';
import { refusal } from '../client/errors';
import { useMutate } from '../client/hooks';
import { Form, useForm } from '../ui/Form';
import { CheckField, LinesField, TextField } from '../ui/inputs';
import { say } from '../ui/toasts';
import { changed, orNull, readDocuments, written } from '../ui/values';

function valuesOf(before: DatamodelFormFragment | null, sourceConnectorId: string) {
  return {
    name: before?.name ?? '',
    sourceConnectorId: before?.sourceConnectorId ?? sourceConnectorId,
    sourceTopic: before?.sourceTopic ?? '',
    targetTopic: before?.targetTopic ?? '',
    consumerId: before?.consumerId ?? '',
    config: written(before?.config ?? {}),
    enabled: before?.enabled ?? true,
    ...errorTableOf(before),
  };
}

type Values = ReturnType<typeof valuesOf>;

const fieldsOf = (values: Values, config: unknown) => ({
  name: values.name,
  sourceConnectorId: values.sourceConnectorId,
  sourceTopic: orNull(values.sourceTopic),
  targetTopic: orNull(values.targetTopic),
  consumerId: orNull(values.consumerId),
  config: config ?? {},
  enabled: values.enabled,
  errorTableEnabled: values.errorTableEnabled,
  errorTableName: orNull(values.errorTableName),
  errorTableTargetId: orNull(values.errorTableTargetId),
});

interface Props {
  readonly before: DatamodelFormFragment | null;
  /** Whose data it shapes, when it is made from there. */
  readonly sourceConnectorId?: string;
}

export function DatamodelForm({ before, sourceConnectorId = '' }: Props) {
  const scoped = useScoped();
  const { envId } = useScope();
  const [, go] = useLocation();
  const [create] = useMutate(CreateDatamodelDocument);
  const [update] = useMutate(UpdateDatamodelDocument);
  const first = valuesOf(before, sourceConnectorId);
  const form = useForm(first);
  const env = before?.sourceConnector ? before.sourceConnector.envId : (envId ?? undefined);

  async function onSubmit(values: Values) {
    if (!values.sourceConnectorId && !before) return refusal('sourceConnectorId', 'Choose the source whose data it shapes.');
    const { documents, failure } = readDocuments({ config: values.config });
    if (failure) return failure;
    const fields = fieldsOf(values, documents.config);
    if (before) {
      const { errors } = await update({
        input: { datamodelId: before.id, updatedAt: before.updatedAt, ...changed(fieldsOf(first, before.config), fields) },
      });
      if (errors) return errors;
      say(`${values.name} is saved.`);
      return go(scoped(`/datamodels/${before.id}`));
    }
    const { data, errors } = await create({ input: fields });
    if (errors) return errors;
    say(`${values.name} is made. A pipeline can carry it, a subscription deliver it.`);
    go(scoped(`/datamodels/${data.createDatamodel.datamodel.id}`));
  }

  return (
    <Form form={form} label="Datamodel" submit={before ? 'Save' : 'Create'} onSubmit={onSubmit}>
      <section className="card stack">
        <ConnectorSelect
          label="Source"
          hint="Its team owns the datamodel."
          way="SOURCE"
          envId={env}
          before={before?.sourceConnector?.name}
          {...form.field('sourceConnectorId')}
        />
        <TextField label="Name" {...form.field('name')} />
        <TextField
          label="Source topic"
          hint="What the source’s worker writes into: the connector’s name, the schema and the table. Another source’s topic is shown and delivered as that one’s."
          placeholder="shop.public.orders"
          {...form.field('sourceTopic')}
        />
        <TextField label="Target topic" hint="What it is republished on, if it is." {...form.field('targetTopic')} />
        <TextField label="Consumer group" {...form.field('consumerId')} />
        <LinesField
          label="Structure of the data"
          hint="A JSON object, such as its fields and their types."
          rows={8}
          code
          {...form.field('config')}
        />
        <CheckField label="Enabled" hint="When it is off, nothing of it is processed." {...form.field('enabled')} />
      </section>
      <ErrorTableFields form={form} envId={env} before={before?.errorTableTarget?.name} />
    </Form>
  );
}
