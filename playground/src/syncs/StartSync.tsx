// Which tables to read: those of the last sync and of the datamodels are offered, any other can be named.
import { useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { LastTablesDocument, StartSyncDocument, type LastTablesQuery } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { count, plural } from '../ui/format';
import { Button, Field } from '../ui/parts';
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
      <Shown of={result}>{({ connector }) => <Choice connectorId={connectorId} known={known(connector)} onClose={onClose} />}</Shown>
    </Dialog>
  );
}

type Known = ReadonlyMap<string, number | null>;

/** Tables by name, with about how many rows they have. */
function known(connector: LastTablesQuery['connector']): Known {
  const tables = new Map<string, number | null>();
  for (const { config } of connector?.datamodels.nodes ?? []) {
    const table = (config as { readonly table?: unknown } | null)?.table;
    if (typeof table === 'string') tables.set(table, null);
  }
  for (const { tableName, approximateRowCount } of connector?.lastSyncRun?.syncTables.nodes ?? [])
    tables.set(tableName, approximateRowCount);
  return new Map([...tables].sort(([one], [other]) => one.localeCompare(other)));
}

function Choice({ connectorId, known, onClose }: { readonly connectorId: string; readonly known: Known; readonly onClose: () => void }) {
  const [start, busy] = useMutate(StartSyncDocument);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [others, setOthers] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const names = [
    ...new Set([
      ...chosen,
      ...others
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ]),
  ];

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (names.length === 0) return setFault('Choose at least one table.');
    const tables = names.map((name) => ({ name, approximateRowCount: known.get(name) ?? null }));
    const { errors } = await start({ input: { connectorId, tables } });
    if (errors) return setFault(errors.words);
    say(`The sync of ${plural(names.length, 'table')} begins.`);
    onClose();
  }

  function toggle(name: string) {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  }

  return (
    <form className="stack" onSubmit={onSubmit}>
      {known.size > 0 && (
        <fieldset className="choices">
          <legend>Tables</legend>
          <label className="check">
            <input
              type="checkbox"
              checked={chosen.size === known.size}
              onChange={() => setChosen(chosen.size === known.size ? new Set() : new Set(known.keys()))}
            />
            All {known.size}
          </label>
          {[...known].map(([name, rows]) => (
            <label className="check" key={name}>
              <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
              <span>
                {name} {rows !== null && <span className="quiet small">about {count(rows)} rows</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <Field label="Other tables" hint="One in each line, with its schema, such as public.orders.">
        {(tied) => <textarea {...tied} rows={2} value={others} onChange={(event) => setOthers(event.target.value)} />}
      </Field>
      {fault && (
        <p className="notice" role="alert">
          {fault}
        </p>
      )}
      <div className="actions">
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" kind="primary" busy={busy}>
          {names.length > 0 ? `Sync ${plural(names.length, 'table')}` : 'Sync'}
        </Button>
      </div>
    </form>
  );
}
