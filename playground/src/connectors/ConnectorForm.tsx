// The form itself: name, team, type, and the fields of the type. It can be tried out before it is saved.
import { useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { useScope, useScoped } from '../app/scope';
import {
  CreateConnectorDocument, PlacesDocument, TestConfigurationDocument, TestConnectorDocument, UpdateConnectorDocument, type ConnectorTypesQuery,
} from '../client/generated'; // prettier-ignore
import { faultsOf, words } from '../client/errors';
import { useMutate, type Failure } from '../client/hooks';
import { Button, Field } from '../ui/parts';
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
  const scope = useScope();
  const scoped = useScoped();
  const [, go] = useLocation();
  const [{ data: places }] = useQuery({ query: PlacesDocument });
  const [create, creating] = useMutate(CreateConnectorDocument);
  const [update, updating] = useMutate(UpdateConnectorDocument);
  const [testNew, testingNew] = useMutate(TestConfigurationDocument);
  const [testKnown, testingKnown] = useMutate(TestConnectorDocument);
  const [typeId, setTypeId] = useState(before?.type ?? 'POSTGRES_SOURCE');
  const type = types.find(({ id }) => id === typeId);
  const schema = type?.configurationSchema as ConfigurationSchema;
  const hints = type?.uiHints as UiHints;
  const [name, setName] = useState(before?.name ?? '');
  const teams = places?.teams.nodes ?? [];
  const [chosenTeam, setTeam] = useState(before?.teamId ?? scope.teamId ?? '');
  const teamId = chosenTeam || teams[0]?.id || '';
  const [values, setValues] = useState<Values>(before?.configuration ?? initial(schema));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [tested, setTested] = useState<Tested | string | null>(null);
  const faults = faultsOf(failure?.each ?? []);
  const configuration = configurationOf(schema, hints, values);

  function choose(id: string) {
    setTypeId(id);
    setValues(initial(types.find((one) => one.id === id)?.configurationSchema as ConfigurationSchema));
    setFailure(null);
    setTested(null);
  }

  async function onTest() {
    setTested(null);
    if (before) {
      const { data, errors } = await testKnown({ input: { connectorId: before.id, configuration } });
      setFailure(errors);
      setTested(data?.testConnector ?? null);
    } else {
      const { data, errors } = await testNew({ input: { teamId, connectorType: typeId, configuration } });
      setFailure(errors);
      setTested(data?.testConnectorConfiguration ?? null);
    }
  }

  async function onSave(event: FormEvent) {
    event.preventDefault();
    if (before) {
      const { errors } = await update({ input: { connectorId: before.id, name, configuration, updatedAt: before.updatedAt } });
      if (errors) return setFailure(errors);
      say(`${name} is saved.`);
      go(scoped(`/connectors/${before.id}`));
    } else {
      const { data, errors } = await create({ input: { teamId, name, connectorType: typeId, configuration } });
      if (errors) return setFailure(errors);
      say(`${name} is made. Start its worker when you like.`);
      go(scoped(`/connectors/${data.createConnector.connector.id}`));
    }
  }

  const fault = (key: string) =>
    faults.get(`configuration/${key}`) ?? [...faults].find(([field]) => field.startsWith(`configuration/${key}/`))?.[1];
  const grouped = new Set(hints.groups.flatMap(({ fields }) => fields));
  const groups = [...hints.groups, { title: 'More', fields: hints.order.filter((key) => !grouped.has(key)) }];
  return (
    <form className="stack" noValidate onSubmit={onSave} aria-label="Connector">
      <section className="card stack">
        <Field label="Name" fault={faults.get('name')}>
          {(tied) => <input {...tied} value={name} required onChange={(event) => setName(event.target.value)} />}
        </Field>
        {!before && (
          <>
            <Field label="Team" fault={faults.get('teamId')}>
              {(tied) => (
                <select {...tied} value={teamId} onChange={(event) => setTeam(event.target.value)}>
                  {teams.map((team) => (
                    <option key={team.id} value={team.id}>
                      {team.name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label="Type" hint={type?.description}>
              {(tied) => (
                <select {...tied} value={typeId} onChange={(event) => choose(event.target.value)}>
                  {types.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
                </select>
              )}
            </Field>
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
                  fault={fault(key)}
                  onChange={(value) => setValues({ ...values, [key]: value })}
                />
              ))}
            </fieldset>
          )
        );
      })}
      {failure && (
        <p className="notice" role="alert">
          {faults.size > 1 ? `${faults.size} fields need another look.` : failure.each[0] ? words(failure.each[0]) : failure.words}
        </p>
      )}
      {tested && <TestOutcome outcome={tested} />}
      <div className="row">
        <Button type="submit" kind="primary" busy={creating || updating}>
          {before ? 'Save' : 'Create'}
        </Button>
        <Button busy={testingNew || testingKnown} onClick={onTest}>
          Test the connection
        </Button>
      </div>
    </form>
  );
}
