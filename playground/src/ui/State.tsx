// A state by its word and a shape of its own; the colour only repeats them.
import type { Look, Shape } from './words';

const SHAPES: Record<Shape, React.ReactNode> = {
  dot: <circle cx="8" cy="8" r="5.5" fill="currentColor" />,
  ring: <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="2.4" />,
  turning: (
    <g className="turning">
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="2.4" strokeDasharray="24 12" />
    </g>
  ),
  pause: <path d="M4 3h3v10H4zM9 3h3v10H9z" fill="currentColor" />,
  alert: <path d="M8 1.5 15.2 14H.8zM7.2 6v4h1.6V6zm0 5v1.6h1.6V11z" fill="currentColor" fillRule="evenodd" />,
  square: <path d="M3 3h10v10H3z" fill="currentColor" />,
  dashed: <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="3.4 2.4" />,
  tick: <path d="m2.5 8.5 3.6 3.6 7.4-8" fill="none" stroke="currentColor" strokeWidth="2.4" />,
  half: (
    <g stroke="currentColor" strokeWidth="1.8">
      <circle cx="8" cy="8" r="5.3" fill="none" />
      <path d="M8 2.7a5.3 5.3 0 0 0 0 10.6z" fill="currentColor" />
    </g>
  ),
};

export function Glyph({ shape }: { readonly shape: Shape }) {
  return (
    <svg className="glyph" viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  );
}

export function State({ look, bare = false }: { readonly look: Look; readonly bare?: boolean }) {
  return (
    <span className={bare ? 'state bare' : 'state'} data-mood={look.mood}>
      <Glyph shape={look.shape} />
      {look.word}
    </span>
  );
}
