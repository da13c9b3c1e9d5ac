// A small chart of counts over time: the first series is an area, the others are lines, told apart by dashes as well as colours.
// The same numbers are in a table below it, for those who cannot see or point at it.
import { useState } from 'react';
import { count, short } from './format';
import { Scroll } from './parts';

export interface ChartSeries {
  readonly name: string;
  readonly color: string;
  readonly dash?: string;
  readonly values: readonly number[];
}

interface Props {
  readonly label: string;
  readonly starts: readonly string[];
  readonly when: (start: string) => string;
  readonly series: readonly ChartSeries[];
}

const HEIGHT = 100;

/** The next 1, 2 or 5 with noughts, so that the axis ends at a number that can be read. */
function ceiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most;
}

export function Chart({ label, starts, when, series }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const top = ceiling(Math.max(...series.flatMap(({ values }) => values), 4));
  const width = Math.max(1, starts.length - 1);
  const line = (values: readonly number[]) => values.map((value, x) => `${x} ${(HEIGHT * (1 - value / top)).toFixed(2)}`).join('L');
  const shown = at ?? starts.length - 1;
  const start = starts[shown];

  function point(event: React.PointerEvent<SVGSVGElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(starts.length - 1, Math.max(0, Math.round(((event.clientX - box.left) / box.width) * width))));
  }

  return (
    <figure className="chart stack tight" aria-label={label}>
      <figcaption className="legend">
        <span>{start ? when(start) : ''}</span>
        {series.map(({ name, color, values }) => (
          <span key={name}>
            <i style={{ background: color }} />
            {name} <b>{count(values[shown] ?? 0)}</b>
          </span>
        ))}
      </figcaption>
      <div className="plot">
        <span className="scale small quiet" aria-hidden="true">
          <span>{short(top)}</span>
          <span>{short(top / 2)}</span>
          <span>0</span>
        </span>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          {[0, 50, 100].map((y) => (
            <path key={y} className="grid" d={`M0 ${y}H${width}`} vectorEffect="non-scaling-stroke" />
          ))}
          {series.map(({ name, color, dash, values }, index) => (
            <g key={name} stroke={color} fill="none" strokeWidth="2" strokeLinejoin="round" strokeDasharray={dash}>
              {index === 0 && <path d={`M0 ${HEIGHT}L${line(values)}L${width} ${HEIGHT}Z`} fill={color} fillOpacity="0.13" stroke="none" />}
              <path d={`M${line(values)}`} vectorEffect="non-scaling-stroke" />
            </g>
          ))}
          {at !== null && <path className="grid" d={`M${at} 0V${HEIGHT}`} vectorEffect="non-scaling-stroke" />}
        </svg>
        <span className="axis small quiet" aria-hidden="true">
          <span>{starts[0] && when(starts[0])}</span>
          <span>{starts.at(-1) && when(starts.at(-1) ?? '')}</span>
        </span>
      </div>
      <Numbers label={label} starts={starts} when={when} series={series} />
    </figure>
  );
}

function Numbers({ label, starts, when, series }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details className="small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {open && (
        <Scroll label={label}>
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {starts.map((start, index) => (
                <tr key={start}>
                  <td>{when(start)}</td>
                  {series.map(({ name, values }) => (
                    <td key={name} className="number">
                      {count(values[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </details>
  );
}
