// Who owns a datamodel: its source connector's team, else that of any pipeline that names it.
import type { Can, Owner } from '../app/rights';

interface Owned {
  readonly sourceConnector: Owner | null;
  readonly pipelines: { readonly nodes: readonly Owner[] };
}

export const mayChangeDatamodel = (can: Can, { sourceConnector, pipelines }: Owned) =>
  (sourceConnector ? [sourceConnector] : pipelines.nodes).some((owner) => can('change', owner));
