// A page of its own for making and changing a pipeline.
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useScoped } from '../app/scope';
import { PipelineForEditDocument } from '../client/generated';
import { FormPage, Frozen } from '../ui/FormPage';
import { Shown } from '../ui/Shown';
import { PipelineForm } from './PipelineForm';

export default function PipelineFormPage({ id }: { readonly id: string | null }) {
  const scoped = useScoped();
  if (id) return <Existing id={id} />;
  return (
    <FormPage title="New pipeline" above={<Link href={scoped('/')}>Pipelines</Link>}>
      <PipelineForm before={null} />
    </FormPage>
  );
}

function Existing({ id }: { readonly id: string }) {
  const scoped = useScoped();
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
        {({ pipeline }) => pipeline && <Frozen value={pipeline}>{(before) => <PipelineForm before={before} />}</Frozen>}
      </Shown>
    </FormPage>
  );
}
