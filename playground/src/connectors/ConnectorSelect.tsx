// A connector to choose: those of an env that one may change.
import { useQuery } from 'urql';
import { useCan } from '../app/rights';
import { ConnectorChoicesDocument, type Way } from '../client/generated';
import type { Bound } from '../ui/Form';
import { SelectField } from '../ui/inputs';
import { kindOf } from './kinds';

interface Props extends Bound<string> {
  readonly label: string;
  readonly hint?: string;
  readonly way: Way;
  /** Of this env; undefined for all. */
  readonly envId: string | null | undefined;
  /** What it is called when there is none; left out where there has to be one. */
  readonly none?: string;
  /** The name of the one that was chosen before, which may be somebody else's. */
  readonly before?: string | null | undefined;
}

/** Longer lists are narrowed by env. */
const MOST = 200;

export function ConnectorSelect({ label, hint, way, envId, none, before, ...bound }: Props) {
  const can = useCan();
  const filter = { way, ...(envId ? { envId } : {}) };
  const [{ data }] = useQuery({ query: ConnectorChoicesDocument, variables: { filter, first: MOST } });
  const found = (data?.connectors.nodes ?? []).filter((one) => can('change', one) && (envId === undefined || one.envId === envId));
  const options = found.map((one) => [one.id, `${one.name ?? 'Unnamed'} (${kindOf(one.connectorType)})`] as const);
  const kept = bound.value && !found.some(({ id }) => id === bound.value) ? [[bound.value, before ?? 'as it is'] as const] : [];
  const empty = none !== undefined || !bound.value ? [['', none ?? 'choose one'] as const] : [];
  const cut = data?.connectors.pageInfo.hasNextPage ? `The first ${MOST} by name are listed.` : undefined;
  return <SelectField label={label} hint={hint ?? cut} options={[...empty, ...kept, ...options]} {...bound} />;
}
