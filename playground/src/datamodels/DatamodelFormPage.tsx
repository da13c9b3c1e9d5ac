// A page of its own for making and changing a datamodel.
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { useCan, usePlacesFor } from '../app/rights';
import { useScoped } from '../app/scope';
import { DatamodelForEditDocument } from '../client/generated';
import { Allowed } from '../ui/Allowed';
import { FormPage, Frozen } from '../ui/FormPage';
import { Shown } from '../ui/Shown';
import { DatamodelForm } from './DatamodelForm';
import { mayChangeDatamodel } from './owners';

export default function DatamodelFormPage({ id }: { readonly id: string | null }) {
  return id ? <Existing id={id} /> : <New />;
}

function New() {
  const scoped = useScoped();
  const { teams } = usePlacesFor('change');
  const [search] = useSearchParams();
  return (
    <FormPage title="New datamodel" above={<Link href={scoped('/datamodels')}>Datamodels</Link>}>
      <Allowed when={teams.length > 0}>
        <DatamodelForm before={null} sourceConnectorId={search.get('source') ?? ''} />
      </Allowed>
    </FormPage>
  );
}

function Existing({ id }: { readonly id: string }) {
  const scoped = useScoped();
  const can = useCan();
  const [result] = useQuery({ query: DatamodelForEditDocument, variables: { id }, requestPolicy: 'network-only' });
  const name = result.data?.datamodel?.name;
  return (
    <FormPage
      title={name ? `Edit ${name}` : 'Edit the datamodel'}
      above={
        <>
          <Link href={scoped('/datamodels')}>Datamodels</Link> / <Link href={scoped(`/datamodels/${id}`)}>{name ?? 'back to it'}</Link>
        </>
      }
    >
      <Shown of={result}>
        {({ datamodel }) =>
          datamodel && (
            <Frozen value={datamodel}>
              {(before) => (
                <Allowed when={mayChangeDatamodel(can, before)}>
                  <DatamodelForm before={before} />
                </Allowed>
              )}
            </Frozen>
          )
        }
      </Shown>
    </FormPage>
  );
}
