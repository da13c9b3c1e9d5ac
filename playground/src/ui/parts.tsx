// Small pieces without a state of their own.
import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from 'react';
import { ago, date } from './format';
import { useNow } from './now';
import type { Mood } from './words';

/** When something was, seen from now; the exact time on hover. */
export function Ago({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (!at) return <>never</>;
  return (
    <time dateTime={at} title={`${date(at)}, ${new Date(at).toLocaleTimeString('en-GB', { timeZoneName: 'short' })}`}>
      {ago(Date.parse(at), now)}
    </time>
  );
}

/** The head of a page. It takes the focus when the page is gone to, so that a screen reader begins there. */
export function Title({ text, children, above }: { readonly text: string; readonly children?: ReactNode; readonly above?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · Pumphouse`;
  }, [text]);
  useEffect(() => {
    // From nowhere, or from the link that led here; nobody is taken away from what they write.
    if (document.activeElement?.matches('body, a')) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="stack tight">
      {above && (
        <nav className="breadcrumb" aria-label="Where you are">
          {above}
        </nav>
      )}
      <div className="head">
        <h1 ref={heading} tabIndex={-1}>
          {text}
        </h1>
        {children}
      </div>
    </div>
  );
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'title'> {
  readonly kind?: 'primary' | 'danger' | 'plain';
  readonly busy?: boolean;
  /** Why it cannot be done now; whoever points at it reads this. */
  readonly refused?: string | false | undefined;
}

/** While busy it keeps the focus, and does nothing. */
export function Button({ kind, busy = false, refused, onClick, type = 'button', className = '', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={Boolean(refused)}
      title={refused || undefined}
      className={`button ${kind ?? ''} ${className}`.trim()}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  /** The control, given what ties it to its words. */
  readonly children: (tied: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode;
}

export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const about = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': about || undefined, 'aria-invalid': fault ? true : undefined })}
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {fault && (
        <span id={`${id}-fault`} className="fault">
          {fault}
        </span>
      )}
    </div>
  );
}

/** How far something is; without a number it only says that it is under way. */
export function Bar({ percent, mood, label }: { readonly percent: number | null; readonly mood: Mood; readonly label: string }) {
  return (
    <div
      className="bar"
      role="progressbar"
      data-mood={mood}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      data-unknown={percent === null || undefined}
    >
      <span style={percent === null ? undefined : { width: `${percent}%` }} />
    </div>
  );
}

/** Words in which `this` is a name of something, as in the descriptions of the API. */
export function Said({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="scroll" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** What is known of something, by name. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
