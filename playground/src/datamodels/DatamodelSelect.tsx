// A datamodel to choose: those of a source that one may change, or of all of them.
import { useQuery } from 'urql';
import { useCan } from '../app/rights';
import { DatamodelChoicesDocument } from '../client/generated';
import type { Bound } from '../ui/Form';
import { SelectField } from '../ui/inputs';

interface Props extends Bound<string> {
  readonly label: string;
  readonly hint?: string;
  /** Of this source; without one all of the env. */
  readonly sourceConnectorId: string | null;
  readonly envId: string | null;
  readonly none: string;
  /** The name of the one that was chosen before, which may be somebody else's. */
  readonly before?: string | null | undefined;
}

export function DatamodelSelect({ label, hint, sourceConnectorId, envId, none, before, ...bound }: Props) {
  const can = useCan();
  const filter = sourceConnectorId ? { sourceConnectorId } : {};
  const [{ data }] = useQuery({ query: DatamodelChoicesDocument, variables: { filter } });
  const found = (data?.datamodels.nodes ?? []).filter(
    ({ sourceConnector: source }) => source && source.envId === envId && can('change', source),
  );
  const kept = bound.value && !found.some(({ id }) => id === bound.value) ? [[bound.value, before ?? 'as it is'] as const] : [];
  const options = found.map(({ id, name }) => [id, name] as const);
  return <SelectField label={label} hint={hint} options={[['', none], ...kept, ...options]} {...bound} />;
}
