// What the pipeline delivers: each subscription with its table, what arrived today, and how far it lags behind.
import { Link } from 'wouter';
import { useMayChange } from '../app/rights';
import { useScoped } from '../app/scope';
import { ChangeSubscriptionDocument, type PipelinePageQuery } from '../client/generated';
import { useMutate } from '../client/hooks';
import { count } from '../ui/format';
import { Ask } from '../ui/Ask';
import { Empty, Scroll } from '../ui/parts';
import { State } from '../ui/State';
import { SWITCH } from '../ui/words';

type Subscription = NonNullable<PipelinePageQuery['pipeline']>['pipelineSubscriptions']['nodes'][number];

interface Props {
  readonly pipelineId: string;
  readonly subscriptions: readonly Subscription[];
}

export function Subscriptions({ pipelineId, subscriptions }: Props) {
  const scoped = useScoped();
  const mayChange = useMayChange();
  return (
    <section className="card stack tight" aria-labelledby="subscriptions">
      <div className="head">
        <h2 id="subscriptions">Subscriptions</h2>
        {mayChange && (
          <Link href={scoped(`/pipelines/${pipelineId}/subscriptions/new`)} className="button">
            Add a subscription
          </Link>
        )}
      </div>
      {subscriptions.length === 0 ? (
        <Empty title="It delivers nothing yet.">A subscription says which datamodel goes into which table.</Empty>
      ) : (
        <Scroll label="Subscriptions">
          <table>
            <thead>
              <tr>
                <th scope="col">Target table</th>
                <th scope="col">From topic</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Records behind
                </th>
                <th scope="col" className="number">
                  Delivered today
                </th>
                <th scope="col" className="number">
                  Errors today
                </th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {subscriptions.map((subscription) => (
                <Row key={subscription.id} pipelineId={pipelineId} subscription={subscription} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

function Row({ pipelineId, subscription }: { readonly pipelineId: string; readonly subscription: Subscription }) {
  const scoped = useScoped();
  const { id, name, targetTableName, datamodel, enabled, backfill, consumerLag, consumption, errorTableName } = subscription;
  const mayChange = useMayChange();
  const [change] = useMutate(ChangeSubscriptionDocument);
  const { delivered, errors } = consumption.summary;

  return (
    <tr>
      <td>{targetTableName ?? name}</td>
      <td className="quiet">{datamodel?.sourceTopic ?? datamodel?.name ?? 'no datamodel'}</td>
      <td>
        <State look={SWITCH(enabled)} bare />
        {backfill && <div className="small quiet">being delivered again</div>}
      </td>
      <td className="number">{consumerLag === null ? <span className="quiet">not reported</span> : count(consumerLag)}</td>
      <td className="number">{count(delivered)}</td>
      <td className="number" data-mood={errors > 0 ? 'bad' : undefined}>
        {count(errors)}
        {errors > 0 && errorTableName && <div className="small">in {errorTableName}</div>}
      </td>
      <td>
        {mayChange && (
          <div className="row end">
            <Link href={scoped(`/pipelines/${pipelineId}/subscriptions/${id}`)} className="button" aria-label={`Edit ${name}`}>
              Edit
            </Link>
            <Ask
              word="Backfill"
              label={`Backfill ${name}`}
              refused={backfill ? 'It is being delivered again already.' : !enabled && 'It is disabled.'}
              question={`Deliver all of ${name} again?`}
              yes="Deliver it again"
              run={() => change({ input: { pipelineSubscriptionId: id, backfill: true } })}
              done={`All of ${name} is asked to be delivered again.`}
            >
              Its worker reads everything anew and writes it into {targetTableName ?? 'its table'} from the start.
            </Ask>
          </div>
        )}
      </td>
    </tr>
  );
}
