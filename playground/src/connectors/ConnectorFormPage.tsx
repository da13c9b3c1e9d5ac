// A connector is made or changed in a form that its type's JSON Schema and hints draw.
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useScoped } from '../app/scope';
import { ConnectorForEditDocument, ConnectorTypesDocument } from '../client/generated';
import { Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { ConnectorForm } from './ConnectorForm';
import type { Values } from './values';
import './connectors.css';

export default function ConnectorFormPage({ id }: { readonly id: string | null }) {
  const scoped = useScoped();
  const [types] = useQuery({ query: ConnectorTypesDocument });
  return (
    <div className="stack form-page">
      <Title
        text={id ? 'Edit the connector' : 'New connector'}
        above={
          <>
            <Link href={scoped('/connectors')}>Connectors</Link>
            {id && <Link href={scoped(`/connectors/${id}`)}>Back to it</Link>}
          </>
        }
      />
      <Shown of={types}>
        {({ connectorTypes }) =>
          id ? <Existing id={id} types={connectorTypes} /> : <ConnectorForm types={connectorTypes} before={null} />
        }
      </Shown>
    </div>
  );
}

type Types = React.ComponentProps<typeof ConnectorForm>['types'];

function Existing({ id, types }: { readonly id: string; readonly types: Types }) {
  // What is being edited must not change under the hands; what another has saved meanwhile is a conflict.
  const [result] = useQuery({ query: ConnectorForEditDocument, variables: { id }, requestPolicy: 'network-only' });
  return (
    <Shown of={result}>
      {({ connector }) =>
        connector && (
          <ConnectorForm
            types={types}
            before={{
              id,
              name: connector.name ?? '',
              type: connector.connectorType,
              teamId: connector.teamId ?? '',
              updatedAt: connector.updatedAt,
              configuration: (connector.jsonConfiguration ?? {}) as Values,
            }}
          />
        )
      }
    </Shown>
  );
}
