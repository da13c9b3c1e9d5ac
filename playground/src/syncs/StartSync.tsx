// Which tables to read: those of the last syncs and of the datamodels are offered, any other can be named.
import { useQuery } from 'urql';
import { LastTablesDocument, StartSyncDocument, type LastTablesQuery } from '../client/generated';
import { refusal } from '../client/errors';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Form, useForm } from '../ui/Form';
import { count, plural } from '../ui/format';
import { LinesField } from '../ui/inputs';
import { Shown } from '../ui/Shown';
import { say } from '../ui/toasts';

interface Props {
  readonly connectorId: string;
  readonly name: string;
  readonly onClose: () => void;
}

export function StartSync({ connectorId, name, onClose }: Props) {
  const [result] = useQuery({ query: LastTablesDocument, variables: { connectorId } });
  return (
    <Dialog title={`Start a sync of ${name}`} onClose={onClose}>
      <Shown of={result}>
        {({ connector }) => connector && <Choice connector={connector} known={known(connector)} onClose={onClose} />}
      </Shown>
    </Dialog>
  );
}

type Connector = NonNullable<LastTablesQuery['connector']>;
type Known = ReadonlyMap<string, number | null>;

/** Tables by name, with about how many rows they have. */
function known(connector: Connector): Known {
  const tables = new Map<string, number | null>();
  for (const { config } of connector.datamodels.nodes) {
    const table = (config as { readonly table?: unknown } | null)?.table;
    if (typeof table === 'string') tables.set(table, null);
  }
  // What is known last of each goes before; the latest run comes first.
  for (const run of [...connector.syncRuns.nodes].reverse())
    for (const { tableName, approximateRowCount } of run.syncTables.nodes)
      tables.set(tableName, approximateRowCount ?? tables.get(tableName) ?? null);
  return new Map([...tables].sort(([one], [other]) => one.localeCompare(other)));
}

function Choice({ connector, known, onClose }: { readonly connector: Connector; readonly known: Known; readonly onClose: () => void }) {
  const [start] = useMutate(StartSyncDocument);
  const form = useForm<{ chosen: ReadonlySet<string>; others: string }>({ chosen: new Set(), others: '' });
  const { chosen } = form.values;
  const others = form.values.others.split('\n').flatMap((line) => line.trim() || []);
  const names = [...new Set([...chosen, ...others])];

  /** What was said of the choice before is not true of another one. */
  function choose(next: ReadonlySet<string>) {
    form.set({ chosen: next });
    form.fail(null);
  }

  async function onSubmit() {
    if (names.length === 0) return refusal('chosen', 'Choose at least one table.');
    const astray = connector.connectorType === 'POSTGRES_SOURCE' && others.find((name) => !name.includes('.'));
    if (astray) return refusal('others', `${astray} needs its schema before it, such as public.${astray}.`);
    const tables = names.map((name) => ({ name, approximateRowCount: known.get(name) ?? null }));
    const { errors } = await start({ input: { connectorId: connector.id, tables } });
    if (errors) return errors;
    say(`The sync of ${plural(names.length, 'table')} begins.`);
    onClose();
  }

  function toggle(name: string) {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    choose(next);
  }

  return (
    <Form
      form={form}
      label="Sync"
      submit={names.length > 0 ? `Sync ${plural(names.length, 'table')}` : 'Sync'}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      {known.size > 0 && (
        <fieldset className="choices">
          <legend>Tables</legend>
          <label className="check all">
            <input
              type="checkbox"
              checked={chosen.size === known.size}
              onChange={() => choose(chosen.size === known.size ? new Set() : new Set(known.keys()))}
            />
            All {known.size}
          </label>
          {[...known].map(([name, rows]) => (
            <label className="check" key={name}>
              <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
              <span>
                {name} {rows ? <span className="quiet small">about {count(rows)} rows</span> : null}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <LinesField
        label={known.size > 0 ? 'Other tables' : 'Tables'}
        hint="One in each line, with its schema, such as public.orders."
        rows={2}
        {...form.field('others')}
      />
    </Form>
  );
}
