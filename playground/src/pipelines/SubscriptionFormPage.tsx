// A page of its own for making, changing and deleting a subscription of a pipeline.
import type { ComponentProps } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { DeleteSubscriptionDocument, PipelineOfSubscriptionDocument, SubscriptionForEditDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Delete } from '../ui/Ask';
import { Allowed } from '../ui/Allowed';
import { FormPage, Frozen } from '../ui/FormPage';
import { Shown } from '../ui/Shown';
import { SubscriptionForm } from './SubscriptionForm';

interface Props {
  readonly pipelineId: string;
  /** Null for a new one. */
  readonly id: string | null;
}

export default function SubscriptionFormPage({ pipelineId, id }: Props) {
  const scoped = useScoped();
  const can = useCan();
  const [pipelineResult] = useQuery({ query: PipelineOfSubscriptionDocument, variables: { id: pipelineId } });
  const name = pipelineResult.data?.pipeline?.name ?? 'back to it';
  return (
    <FormPage
      title={id ? 'Edit the subscription' : 'New subscription'}
      above={
        <>
          <Link href={scoped('/')}>Pipelines</Link> / <Link href={scoped(`/pipelines/${pipelineId}`)}>{name}</Link>
        </>
      }
    >
      <Shown of={pipelineResult}>
        {({ pipeline }) =>
          pipeline && (
            <Allowed when={can('change', pipeline)}>
              {id ? <Existing id={id} pipeline={pipeline} /> : <SubscriptionForm pipeline={pipeline} before={null} />}
            </Allowed>
          )
        }
      </Shown>
    </FormPage>
  );
}

function Existing({ id, pipeline }: { readonly id: string; readonly pipeline: ComponentProps<typeof SubscriptionForm>['pipeline'] }) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const [remove] = useMutate(DeleteSubscriptionDocument);
  const [result] = useQuery({ query: SubscriptionForEditDocument, variables: { id }, requestPolicy: 'network-only' });
  return (
    <Shown of={result}>
      {({ pipelineSubscription: now }) =>
        now && (
          <Frozen value={now}>
            {(before) => (
              <>
                <SubscriptionForm pipeline={pipeline} before={before} />
                <div className="head">
                  <p className="quiet small">What it has delivered stays when it is deleted.</p>
                  <Delete
                    name={before.name}
                    run={() => remove({ input: { pipelineSubscriptionId: id } })}
                    onDone={() => go(scoped(`/pipelines/${pipeline.id}`))}
                  >
                    What it has delivered stays, as does what was measured of it.
                  </Delete>
                </div>
              </>
            )}
          </Frozen>
        )
      }
    </Shown>
  );
}
