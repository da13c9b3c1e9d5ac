// What flowed: the last hour by minute, live, and the last 30 days.
import { useEffect, useState } from 'react';
import { useQuery, type CombinedError } from 'urql';
import { PipelineThroughputDocument, type PipelineThroughputQuery, type ThroughputBucket } from '../client/generated';
import { Chart } from '../ui/Chart';
import { clock, count, day, plural, rate } from '../ui/format';
import { Empty } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { Nudge } from './Nudge';
import { useLastHour, useLastMonth } from './times';

export function Throughput({ id }: { readonly id: string }) {
  const hour = useLastHour();
  const month = useLastMonth();
  return (
    <div className="columns">
      <Period id={id} title="Last hour, by minute" bucket="MINUTE" {...hour} when={clock} live />
      <Period id={id} title="Last 30 days" bucket="DAY" {...month} when={day} />
    </div>
  );
}

interface PeriodProps {
  readonly id: string;
  readonly title: string;
  readonly bucket: ThroughputBucket;
  readonly from: string;
  readonly to: string;
  readonly when: (start: string) => string;
  readonly live?: boolean;
}

function Period({ id, title, bucket, from, to, when, live = false }: PeriodProps) {
  const [begin, setBegin] = useState(from);
  const [result, again] = useQuery({ query: PipelineThroughputDocument, variables: { id, from: begin > from ? begin : from, to, bucket } });
  // Minutes are not known of the time before the server's first day.
  const known = earliest(result.error);
  useEffect(() => {
    if (known && known < to) setBegin(known);
  }, [known, to]);
  return (
    <section className="card" aria-label={title}>
      {live && <Nudge id={id} again={() => again({ requestPolicy: 'network-only' })} />}
      <h2>{title}</h2>
      <Shown of={result}>
        {({ pipeline }) => (pipeline ? <Drawn throughput={pipeline.throughput} title={title} when={when} /> : null)}
      </Shown>
    </section>
  );
}

function earliest(error: CombinedError | undefined): string | null {
  const details = error?.graphQLErrors[0]?.extensions['details'] as { readonly earliest?: unknown } | undefined;
  return typeof details?.earliest === 'string' ? details.earliest : null;
}

type Told = NonNullable<PipelineThroughputQuery['pipeline']>['throughput'];

function Drawn({
  throughput: { points, summary },
  title,
  when,
}: {
  readonly throughput: Told;
  readonly title: string;
  readonly when: (start: string) => string;
}) {
  if (summary.total + summary.delivered + summary.errors === 0) {
    return <Empty title="Nothing flowed.">What sources read and targets receive appears here by itself.</Empty>;
  }
  return (
    <div className="stack tight">
      <p className="small quiet">
        {plural(summary.total, 'record')} read at the source, {count(summary.delivered)} delivered,{' '}
        <span data-mood={summary.errors > 0 ? 'bad' : 'idle'}>{count(summary.errors)} rejected</span>
        {summary.messagesPerSecond >= 0.1 && ` · ${rate(summary.messagesPerSecond)} records/s while it flowed`}
        {summary.delivered > summary.total && ' · what is delivered again counts again'}
      </p>
      <Chart
        label={title}
        starts={points.map(({ start }) => start)}
        when={when}
        series={[
          { name: 'read', color: 'var(--accent)', values: points.map(({ total }) => total) },
          { name: 'delivered', color: 'var(--second)', dash: '5 4', values: points.map(({ delivered }) => delivered) },
          { name: 'errors', color: 'var(--bad)', dash: '2 3', values: points.map(({ errors }) => errors) },
        ]}
      />
    </div>
  );
}
