// A connector is made or changed in a form that its type's JSON Schema and hints draw.
import type { ComponentProps } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useCan, usePlacesFor } from '../app/rights';
import { useScoped } from '../app/scope';
import { ConnectorForEditDocument, ConnectorTypesDocument } from '../client/generated';
import { Allowed } from '../ui/Allowed';
import { FormPage, Frozen } from '../ui/FormPage';
import { Shown } from '../ui/Shown';
import { ConnectorForm } from './ConnectorForm';
import type { Values } from './values';
import './connectors.css';

export default function ConnectorFormPage({ id }: { readonly id: string | null }) {
  const scoped = useScoped();
  const { teams } = usePlacesFor('change');
  const [types] = useQuery({ query: ConnectorTypesDocument });
  return (
    <Shown of={types}>
      {({ connectorTypes }) =>
        id ? (
          <Existing id={id} types={connectorTypes} />
        ) : (
          <FormPage title="New connector" above={<Link href={scoped('/connectors')}>Connectors</Link>}>
            <Allowed when={teams.length > 0}>
              <ConnectorForm types={connectorTypes} before={null} />
            </Allowed>
          </FormPage>
        )
      }
    </Shown>
  );
}

type Types = ComponentProps<typeof ConnectorForm>['types'];

function Existing({ id, types }: { readonly id: string; readonly types: Types }) {
  const scoped = useScoped();
  const can = useCan();
  const [result] = useQuery({ query: ConnectorForEditDocument, variables: { id }, requestPolicy: 'network-only' });
  const name = result.data?.connector?.name;
  return (
    <FormPage
      title={name ? `Edit ${name}` : 'Edit the connector'}
      above={
        <>
          <Link href={scoped('/connectors')}>Connectors</Link> / <Link href={scoped(`/connectors/${id}`)}>{name ?? 'back to it'}</Link>
        </>
      }
    >
      <Shown of={result}>
        {({ connector }) =>
          connector && (
            <Frozen value={connector}>
              {({ name, connectorType, teamId, envId, updatedAt, jsonConfiguration }) => (
                <Allowed when={can('change', { teamId, envId })}>
                  <ConnectorForm
                    types={types}
                    before={{
                      id,
                      name: name ?? '',
                      type: connectorType,
                      teamId: teamId ?? '',
                      updatedAt,
                      configuration: (jsonConfiguration ?? {}) as Values,
                    }}
                  />
                </Allowed>
              )}
            </Frozen>
          )
        }
      </Shown>
    </FormPage>
  );
}
