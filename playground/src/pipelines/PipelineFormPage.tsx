// A page of its own for making and changing a pipeline.
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useCan, usePlacesFor } from '../app/rights';
import { useScoped } from '../app/scope';
import { PipelineForEditDocument } from '../client/generated';
import { Allowed } from '../ui/Allowed';
import { FormPage, Frozen } from '../ui/FormPage';
import { Shown } from '../ui/Shown';
import { PipelineForm } from './PipelineForm';

export default function PipelineFormPage({ id }: { readonly id: string | null }) {
  const scoped = useScoped();
  const { teams } = usePlacesFor('change');
  if (id) return <Existing id={id} />;
  return (
    <FormPage title="New pipeline" above={<Link href={scoped('/')}>Pipelines</Link>}>
      <Allowed when={teams.length > 0}>
        <PipelineForm before={null} />
      </Allowed>
    </FormPage>
  );
}

function Existing({ id }: { readonly id: string }) {
  const scoped = useScoped();
  const can = useCan();
  const [result] = useQuery({ query: PipelineForEditDocument, variables: { id }, requestPolicy: 'network-only' });
  const name = result.data?.pipeline?.name;
  return (
    <FormPage
      title={name ? `Edit ${name}` : 'Edit the pipeline'}
      above={
        <>
          <Link href={scoped('/')}>Pipelines</Link> / <Link href={scoped(`/pipelines/${id}`)}>{name ?? 'back to it'}</Link>
        </>
      }
    >
      <Shown of={result}>
        {({ pipeline }) =>
          pipeline && (
            <Frozen value={pipeline}>
              {(before) => (
                <Allowed when={can('change', before)}>
                  <PipelineForm before={before} />
                </Allowed>
              )}
            </Frozen>
          )
        }
      </Shown>
    </FormPage>
  );
}
