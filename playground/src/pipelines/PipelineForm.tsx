// A pipeline is made or changed: whose it is, from where to where, and which datamodel it carries.
import { useLocation } from 'wouter';
import { usePlacesFor } from '../app/rights';
import { useScoped } from '../app/scope';
import { ConnectorSelect } from '../connectors/ConnectorSelect';
import { DatamodelSelect } from '../datamodels/DatamodelSelect';
import { CreatePipelineDocument, UpdatePipelineDocument, type PipelineFormFragment } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Form, useForm } from '../ui/Form';
import { LinesField, SelectField, TextField } from '../ui/inputs';
import { say } from '../ui/toasts';
import { changed, orNull, readDocuments, written } from '../ui/values';

const valuesOf = (before: PipelineFormFragment | null) => ({
  name: before?.name ?? '',
  teamId: before?.teamId ?? '',
  sourceConnectorId: before?.sourceConnectorId ?? '',
  targetConnectorId: before?.targetConnectorId ?? '',
  datamodelId: before?.datamodelId ?? '',
  jsonConfiguration: written(before?.jsonConfiguration ?? {}),
  errorTableConfig: written(before?.errorTableConfig),
});

type Values = ReturnType<typeof valuesOf>;

const fieldsOf = (values: Values, documents: { readonly jsonConfiguration: unknown; readonly errorTableConfig: unknown }) => ({
  name: values.name,
  sourceConnectorId: orNull(values.sourceConnectorId),
  targetConnectorId: orNull(values.targetConnectorId),
  datamodelId: orNull(values.datamodelId),
  jsonConfiguration: documents.jsonConfiguration ?? {},
  errorTableConfig: documents.errorTableConfig,
});

export function PipelineForm({ before }: { readonly before: PipelineFormFragment | null }) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const { teams, scoped: near } = usePlacesFor('change');
  const [create] = useMutate(CreatePipelineDocument);
  const [update] = useMutate(UpdatePipelineDocument);
  const first = valuesOf(before);
  const form = useForm(first);
  const { values } = form;
  const teamId = values.teamId || near[0]?.id || teams[0]?.id || '';
  const envId = before ? before.envId : (teams.find(({ id }) => id === teamId)?.envId ?? null);

  async function onSubmit() {
    const { documents, failure } = readDocuments({
      jsonConfiguration: values.jsonConfiguration,
      errorTableConfig: values.errorTableConfig,
    });
    if (failure) return failure;
    const fields = fieldsOf(values, documents);
    if (before) {
      const changes = changed(
        fieldsOf(first, { jsonConfiguration: before.jsonConfiguration, errorTableConfig: before.errorTableConfig }),
        fields,
      );
      const { errors } = await update({ input: { pipelineId: before.id, expectedVersion: before.version, ...changes } });
      if (errors) return errors;
      say(`${values.name} is saved.`);
      return go(scoped(`/pipelines/${before.id}`));
    }
    const { data, errors } = await create({ input: { teamId, ...fields } });
    if (errors) return errors;
    say(`${values.name} is made. Add a subscription to say what it delivers.`);
    go(scoped(`/pipelines/${data.createPipeline.pipeline.id}`));
  }

  return (
    <Form form={form} label="Pipeline" submit={before ? 'Save' : 'Create'} onSubmit={onSubmit}>
      <section className="card stack">
        <TextField label="Name" {...form.field('name')} />
        {!before && (
          <SelectField
            label="Team"
            hint="It owns the pipeline; source, target and datamodel are of the same environment."
            options={teams.map(({ id, name }) => [id, name ?? 'Unnamed team'])}
            {...form.field('teamId')}
            value={teamId}
            onChange={(id) => form.set({ teamId: id, sourceConnectorId: '', targetConnectorId: '', datamodelId: '' })}
          />
        )}
        <ConnectorSelect
          label="Source"
          way="SOURCE"
          envId={envId}
          none="none yet: it stays a draft"
          before={before?.sourceConnector?.name}
          {...form.field('sourceConnectorId')}
        />
        <ConnectorSelect
          label="Target"
          way="TARGET"
          envId={envId}
          none="none yet: it stays a draft"
          before={before?.targetConnector?.name}
          {...form.field('targetConnectorId')}
        />
        <DatamodelSelect
          label="Datamodel"
          hint="The one that it is about; its subscriptions may deliver others of the source, too."
          sourceConnectorId={orNull(values.sourceConnectorId)}
          envId={envId}
          none="none"
          before={before?.datamodel?.name}
          {...form.field('datamodelId')}
        />
      </section>
      <details className="card">
        <summary>Settings as JSON</summary>
        <div className="stack">
          <LinesField label="Settings" hint="An object, without secrets." rows={5} code {...form.field('jsonConfiguration')} />
          <LinesField
            label="Where rejected rows go"
            hint="An object, or nothing; what is an id in it names a target connector."
            rows={4}
            code
            {...form.field('errorTableConfig')}
          />
        </div>
      </details>
    </Form>
  );
}
