// The board: what all pipelines are doing, and what needs somebody.
import { useRef, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { usePlacesFor } from '../app/rights';
import { scopeFilter, useScope, useScoped } from '../app/scope';
import {
  BoardDocument, PipelineStatesDocument, WorkerStatesDocument, type PipelineCardFragment, type PipelineFilter, type PipelineState,
} from '../client/generated'; // prettier-ignore
import { useLive } from '../client/hooks';
import { usePages, type PageOf } from '../ui/Pages';
import { Button, Empty, Title } from '../ui/parts';
import { Search, useNarrow } from '../ui/Search';
import { Shown } from '../ui/Shown';
import { PIPELINE_ORDER } from '../ui/words';
import { PipelineRow } from './PipelineRow';
import { StateFilter } from './StateFilter';
import { Summary } from './Summary';
import { Syncs } from './Syncs';
import './board.css';

export function Board() {
  const scope = useScope();
  const scoped = useScoped();
  const { scoped: mine } = usePlacesFor('change');
  const narrow = useNarrow();
  const [search] = useSearchParams();
  const { pages, restart } = usePages();
  const state = (search.get('state') as PipelineState | null) ?? null;
  const text = search.get('search') ?? '';
  const within = scopeFilter(scope);
  useLive(PipelineStatesDocument, { filter: within });
  useLive(WorkerStatesDocument, { filter: within });

  const filter: PipelineFilter = { ...within, ...(text ? { search: text } : {}) };
  return (
    <div className="stack">
      <Title text="Pipelines">
        {mine.length > 0 && (
          <Link href={scoped('/pipelines/new')} className="button primary">
            New pipeline
          </Link>
        )}
      </Title>
      <Summary filter={within} scope={scope} />
      <Syncs scope={scope} />
      <div className="head">
        <StateFilter
          filter={filter}
          chosen={state}
          onChoose={(next) => {
            restart();
            narrow('state', next);
          }}
        />
        <Search label="Search pipelines by name" onChange={restart} />
      </div>
      <div className="stack tight">
        {pages.map((page) => (
          <Page key={page.after ?? ''} filter={state ? { ...filter, state } : filter} counted={filter} {...page} />
        ))}
      </div>
    </div>
  );
}

interface PageProps extends PageOf {
  readonly filter: PipelineFilter;
  readonly counted: PipelineFilter;
}

function Page({ filter, counted, after, onMore }: PageProps) {
  const [result] = useQuery({ query: BoardDocument, variables: { filter, counted, after } });
  return (
    <Shown of={result}>
      {({ pipelines: { nodes, pageInfo } }) => (
        <>
          <Rows pipelines={nodes} />
          {nodes.length === 0 && <Nothing />}
          {onMore && pageInfo.hasNextPage && pageInfo.endCursor && (
            <Button onClick={() => onMore(pageInfo.endCursor ?? '')}>Show more pipelines</Button>
          )}
        </>
      )}
    </Shown>
  );
}

/** Nothing moves below a pointer or a focus: what is about to be pressed stays where it is. */
function Rows({ pipelines }: { readonly pipelines: readonly PipelineCardFragment[] }) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const order = useRef<readonly string[]>([]);
  if (!pointed && !focused) order.current = [...pipelines].sort(byUrgency).map(({ id }) => id);
  const place = ({ id }: PipelineCardFragment) => (order.current.includes(id) ? order.current.indexOf(id) : order.current.length);
  return (
    <ul
      className="pipelines"
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {[...pipelines]
        .sort((one, other) => place(one) - place(other))
        .map((pipeline) => (
          <PipelineRow key={pipeline.id} pipeline={pipeline} />
        ))}
    </ul>
  );
}

/** What needs a person first; then by name, as the server sent them. */
function byUrgency(one: PipelineCardFragment, other: PipelineCardFragment): number {
  const urgency = ({ state, health }: PipelineCardFragment) =>
    health === 'DEGRADED' && state !== 'ERROR' ? 0.5 : PIPELINE_ORDER.indexOf(state);
  return urgency(one) - urgency(other);
}

function Nothing() {
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const narrowed = [...search.keys()].length > 0;
  return (
    <Empty title={narrowed ? 'No pipeline is like that.' : 'You see no pipelines yet.'}>
      {narrowed ? (
        <Button onClick={() => go('/')}>Show all</Button>
      ) : (
        'Pipelines belong to teams. When you are invited to one, or have asked to join one on the page “People” and were accepted, its pipelines appear here by themselves.'
      )}
    </Empty>
  );
}
