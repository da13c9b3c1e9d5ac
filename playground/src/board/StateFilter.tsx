// How many pipelines are in each state; a click shows only those.
import { useQuery } from 'urql';
import { BoardDocument, type PipelineFilter, type PipelineState } from '../client/generated';
import { count } from '../ui/format';
import { Glyph } from '../ui/State';
import { PIPELINE, PIPELINE_ORDER } from '../ui/words';

interface Props {
  readonly filter: PipelineFilter;
  readonly chosen: PipelineState | null;
  readonly onChoose: (state: PipelineState | null) => void;
}

export function StateFilter({ filter, chosen, onChoose }: Props) {
  // The same question as the summary's, so it is asked once.
  const [{ data }] = useQuery({ query: BoardDocument, variables: { filter, counted: filter, after: null } });
  const counts = data?.pipelineStateCounts ?? [];
  return (
    <div className="chips" role="group" aria-label="Show only pipelines that are">
      {PIPELINE_ORDER.map((state) => {
        const number = counts.find((one) => one.state === state)?.count ?? 0;
        if (number === 0 && state !== chosen) return null;
        const { word, mood, shape } = PIPELINE[state];
        return (
          <button
            key={state}
            type="button"
            className="chip"
            aria-pressed={chosen === state}
            onClick={() => onChoose(chosen === state ? null : state)}
          >
            <span className="state bare" data-mood={mood}>
              <Glyph shape={shape} />
            </span>
            {word} <b>{count(number)}</b>
          </button>
        );
      })}
    </div>
  );
}
