// A subscription of a pipeline is made or changed: what it delivers into which table, and how.
import { useLocation } from 'wouter';
import { useScoped } from '../app/scope';
import { ConnectorSelect } from '../connectors/ConnectorSelect';
import { ErrorTableFields, errorTableOf } from '../connectors/ErrorTableFields';
import { DatamodelSelect } from '../datamodels/DatamodelSelect';
import {
  CreateSubscriptionDocument, UpdateSubscriptionDocument, type PipelineOfSubscriptionQuery, type SubscriptionFormFragment,
} from '../client/generated'; // prettier-ignore
import { useMutate } from '../client/hooks';
import { Form, useForm } from '../ui/Form';
import { CheckField, LinesField, TextField } from '../ui/inputs';
import { say } from '../ui/toasts';
import { changed, orNull, readDocuments, written } from '../ui/values';

type Pipeline = NonNullable<PipelineOfSubscriptionQuery['pipeline']>;

interface Props {
  readonly pipeline: Pipeline;
  readonly before: SubscriptionFormFragment | null;
}

const valuesOf = (pipeline: Pipeline, before: SubscriptionFormFragment | null) => ({
  name: before?.name ?? '',
  datamodelId: before?.datamodelId ?? '',
  targetConnectorId: (before ? before.targetConnectorId : pipeline.targetConnectorId) ?? '',
  targetTableName: before?.targetTableName ?? '',
  transformConfig: written(before?.transformConfig ?? []),
  config: written(before?.config ?? {}),
  consumerId: before?.consumerId ?? '',
  enabled: before?.enabled ?? !['DRAFT', 'PAUSED'].includes(pipeline.state),
  ...errorTableOf(before),
});

type Values = ReturnType<typeof valuesOf>;

const fieldsOf = (values: Values, documents: { readonly transformConfig: unknown; readonly config: unknown }) => ({
  name: values.name || values.targetTableName,
  datamodelId: orNull(values.datamodelId),
  targetConnectorId: orNull(values.targetConnectorId),
  targetTableName: orNull(values.targetTableName),
  transformConfig: documents.transformConfig ?? [],
  config: documents.config ?? {},
  consumerId: orNull(values.consumerId),
  enabled: values.enabled,
  errorTableEnabled: values.errorTableEnabled,
  errorTableName: orNull(values.errorTableName),
  errorTableTargetId: orNull(values.errorTableTargetId),
});

export function SubscriptionForm({ pipeline, before }: Props) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const [create] = useMutate(CreateSubscriptionDocument);
  const [update] = useMutate(UpdateSubscriptionDocument);
  const first = valuesOf(pipeline, before);
  const form = useForm(first);

  async function onSubmit(values: Values) {
    const { documents, failure } = readDocuments({ transformConfig: values.transformConfig, config: values.config });
    if (failure) return failure;
    const fields = fieldsOf(values, documents);
    const { errors } = before
      ? await update({
          input: { pipelineSubscriptionId: before.id, updatedAt: before.updatedAt, ...changed(fieldsOf(first, before), fields) },
        })
      : await create({ input: { pipelineId: pipeline.id, ...fields } });
    if (errors) return errors;
    say(
      before
        ? `${fields.name} is saved.`
        : `${pipeline.name ?? 'The pipeline'} delivers ${fields.name} now${fields.enabled ? '' : ', once it is started'}.`,
    );
    go(scoped(`/pipelines/${pipeline.id}`));
  }

  return (
    <Form form={form} label="Subscription" submit={before ? 'Save' : 'Create'} onSubmit={onSubmit}>
      <section className="card stack">
        <DatamodelSelect
          label="Datamodel"
          hint="What is delivered: the datamodels of the pipeline’s source."
          sourceConnectorId={pipeline.sourceConnectorId}
          envId={pipeline.envId}
          none="none yet"
          before={before?.datamodel?.name}
          {...form.field('datamodelId')}
        />
        <ConnectorSelect
          label="Into"
          way="TARGET"
          envId={pipeline.envId}
          none="none yet"
          before={before ? before.targetConnector?.name : pipeline.targetConnector?.name}
          {...form.field('targetConnectorId')}
        />
        <TextField label="Table" hint="As the target spells it." placeholder="shop_orders" {...form.field('targetTableName')} />
        <TextField
          label="Name"
          hint="What it is called here; the table’s name when it is left empty."
          placeholder={form.values.targetTableName}
          {...form.field('name')}
        />
        <CheckField label="Enabled" hint="When it is off, starting the pipeline turns it on." {...form.field('enabled')} />
      </section>
      <ErrorTableFields form={form} envId={pipeline.envId} before={before?.errorTableTarget?.name} />
      <details className="card" open={(before?.transformConfig as readonly unknown[] | undefined)?.length ? true : undefined}>
        <summary>Transforms and settings as JSON</summary>
        <div className="stack">
          <LinesField
            label="Transforms"
            hint={
              <>
                A list, in the order in which they run, such as <code>{'[{"type": "hash", "fields": ["email"]}]'}</code>.
              </>
            }
            rows={6}
            code
            {...form.field('transformConfig')}
          />
          <LinesField label="How rows are written" hint="An object, without secrets." rows={4} code {...form.field('config')} />
          <TextField label="Consumer group" hint="Its own id when it is left empty." {...form.field('consumerId')} />
        </div>
      </details>
    </Form>
  );
}
