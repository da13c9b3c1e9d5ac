// The form itself: name, team, type, and the fields of the type. It can be tried out before it is saved.
import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePlacesFor } from '../app/rights';
import { useScoped } from '../app/scope';
import {
  CreateConnectorDocument, TestConfigurationDocument, TestConnectorDocument, UpdateConnectorDocument, type ConnectorTypesQuery,
} from '../client/generated'; // prettier-ignore
import { faultsOf } from '../client/errors';
import { useMutate } from '../client/hooks';
import { faultOf, Form, useForm } from '../ui/Form';
import { SelectField, TextField } from '../ui/inputs';
import { Button } from '../ui/parts';
import { say } from '../ui/toasts';
import { SchemaField } from './SchemaField';
import { TestOutcome, type Tested } from './TestOutcome';
import { configurationOf, initial, visible, type ConfigurationSchema, type UiHints, type Values } from './values';

interface Before {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly teamId: string;
  readonly updatedAt: string | null;
  readonly configuration: Values;
}

interface Props {
  readonly types: ConnectorTypesQuery['connectorTypes'];
  readonly before: Before | null;
}

export function ConnectorForm({ types, before }: Props) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const { teams, scoped: near } = usePlacesFor('change');
  const [create] = useMutate(CreateConnectorDocument);
  const [update] = useMutate(UpdateConnectorDocument);
  const [testNew, testingNew] = useMutate(TestConfigurationDocument);
  const [testKnown, testingKnown] = useMutate(TestConnectorDocument);
  const typeOf = (id: string) => types.find((one) => one.id === id);
  const schemaOf = (id: string) => typeOf(id)?.configurationSchema as ConfigurationSchema;
  const first = before?.type ?? 'POSTGRES_SOURCE';
  const form = useForm({
    name: before?.name ?? '',
    teamId: before?.teamId ?? '',
    connectorType: first,
    configuration: before?.configuration ?? initial(schemaOf(first)),
  });
  const [tested, setTested] = useState<Tested | null>(null);
  const { connectorType, configuration: values } = form.values;
  const schema = schemaOf(connectorType);
  const hints = typeOf(connectorType)?.uiHints as UiHints;
  const teamId = form.values.teamId || near[0]?.id || teams[0]?.id || '';
  const configuration = configurationOf(schema, hints, values);
  const faults = faultsOf(form.failure?.each ?? []);

  function choose(id: string) {
    form.set({ connectorType: id, configuration: initial(schemaOf(id)) });
    form.fail(null);
    setTested(null);
  }

  async function onTest() {
    setTested(null);
    const { data, errors } = before
      ? await testKnown({ input: { connectorId: before.id, configuration } })
      : await testNew({ input: { teamId, connectorType, configuration } });
    form.fail(errors);
    if (data) setTested('testConnector' in data ? data.testConnector : data.testConnectorConfiguration);
  }

  async function onSave() {
    const { name } = form.values;
    if (before) {
      const { errors } = await update({ input: { connectorId: before.id, name, configuration, updatedAt: before.updatedAt } });
      if (errors) return errors;
      say(`${name} is saved.`);
      go(scoped(`/connectors/${before.id}`));
    } else {
      const { data, errors } = await create({ input: { teamId, name, connectorType, configuration } });
      if (errors) return errors;
      say(`${name} is made. Start its worker when you like.`);
      go(scoped(`/connectors/${data.createConnector.connector.id}`));
    }
    return null;
  }

  const grouped = new Set(hints.groups.flatMap(({ fields }) => fields));
  const groups = [...hints.groups, { title: 'More', fields: hints.order.filter((key) => !grouped.has(key)) }];
  return (
    <Form
      form={form}
      label="Connector"
      submit={before ? 'Save' : 'Create'}
      onSubmit={onSave}
      also={
        <Button busy={testingNew || testingKnown} onClick={onTest}>
          Test the connection
        </Button>
      }
    >
      <section className="card stack">
        <TextField label="Name" {...form.field('name')} />
        {!before && (
          <>
            <SelectField
              label="Team"
              options={teams.map(({ id, name }) => [id, name ?? 'Unnamed team'])}
              {...form.field('teamId')}
              value={teamId}
            />
            <SelectField
              label="Type"
              hint={typeOf(connectorType)?.description}
              options={types.map(({ id, title }) => [id, title])}
              {...form.field('connectorType')}
              onChange={choose}
            />
          </>
        )}
      </section>
      {groups.map(({ title, fields }) => {
        const shown = fields.filter((key) => schema.properties[key] && visible(key, hints, values));
        return (
          shown.length > 0 && (
            <fieldset key={title} className="card stack">
              <legend>{title}</legend>
              {shown.map((key) => (
                <SchemaField
                  key={key}
                  name={key}
                  property={schema.properties[key] ?? {}}
                  hint={hints.fields[key] ?? {}}
                  required={schema.required?.includes(key) ?? false}
                  value={values[key]}
                  fault={faultOf(faults, `configuration/${key}`)}
                  onChange={(value) => form.set({ configuration: { ...values, [key]: value } })}
                />
              ))}
            </fieldset>
          )
        );
      })}
      {tested && <TestOutcome outcome={tested} />}
    </Form>
  );
}
