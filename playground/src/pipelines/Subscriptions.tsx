// What the pipeline delivers: each subscription with its table, what arrived today, and how far it lags behind.
import { useMayChange } from '../app/rights';
import { ChangeSubscriptionDocument, type PipelinePageQuery, type UpdatePipelineSubscriptionInput } from '../client/generated';
import { useMutate } from '../client/hooks';
import { count } from '../ui/format';
import { Button, Empty, Scroll } from '../ui/parts';
import { State } from '../ui/State';
import { say } from '../ui/toasts';
import type { Look } from '../ui/words';

type Subscription = NonNullable<PipelinePageQuery['pipeline']>['pipelineSubscriptions']['nodes'][number];

const ON: Look = { word: 'Enabled', mood: 'good', shape: 'dot' };
const OFF: Look = { word: 'Disabled', mood: 'idle', shape: 'pause' };

export function Subscriptions({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  return (
    <section className="card" aria-labelledby="subscriptions">
      <h2 id="subscriptions">Subscriptions</h2>
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
                  Lag
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
                <Row key={subscription.id} subscription={subscription} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

function Row({ subscription }: { readonly subscription: Subscription }) {
  const { id, name, targetTableName, datamodel, enabled, backfill, consumerLag, consumption, errorTableName } = subscription;
  const mayChange = useMayChange();
  const [change, busy] = useMutate(ChangeSubscriptionDocument);
  const { delivered, errors } = consumption.summary;

  async function set(fields: Partial<UpdatePipelineSubscriptionInput>, done: string) {
    const outcome = await change({ input: { pipelineSubscriptionId: id, ...fields } });
    say(outcome.errors?.words ?? done, outcome.errors ? 'bad' : 'good');
  }

  return (
    <tr>
      <td>{targetTableName ?? name}</td>
      <td className="quiet">{datamodel?.sourceTopic ?? datamodel?.name ?? 'no datamodel'}</td>
      <td>
        <State look={enabled ? ON : OFF} bare />
        {backfill && <div className="small quiet">backfill under way</div>}
      </td>
      <td className="number">{consumerLag === null ? <span className="quiet">not reported</span> : count(consumerLag)}</td>
      <td className="number">{count(delivered)}</td>
      <td className="number" data-mood={errors > 0 ? 'bad' : undefined}>
        {count(errors)}
        {errors > 0 && errorTableName && <div className="small">in {errorTableName}</div>}
      </td>
      <td className="number">
        {mayChange && (
          <Button
            kind="plain"
            busy={busy}
            refused={backfill ? 'A backfill is under way.' : !enabled && 'It is disabled.'}
            aria-label={`Backfill ${name}`}
            onClick={() => set({ backfill: true }, `${name} is delivered again.`)}
          >
            Backfill
          </Button>
        )}
      </td>
    </tr>
  );
}
