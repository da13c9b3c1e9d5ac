// Every form of the page: its values, what was wrong with them at the field that it is about, and the buttons at its foot.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { faultsOf, obstacles, words } from '../client/errors';
import type { Failure } from '../client/hooks';
import { Notice } from './Notice';
import { Button } from './parts';

/** What a control shows and tells. */
export interface Bound<Value> {
  readonly value: Value;
  readonly fault: string | undefined;
  readonly onChange: (value: Value) => void;
}

export interface FormState<Values> {
  readonly values: Values;
  readonly set: (changed: Partial<Values>) => void;
  readonly field: <Key extends keyof Values & string>(name: Key) => Bound<Values[Key]>;
  readonly failure: Failure | null;
  readonly fail: (failure: Failure | null) => void;
}

export function useForm<Values extends object>(initial: Values): FormState<Values> {
  const [values, setValues] = useState(initial);
  const [failure, fail] = useState<Failure | null>(null);
  const faults = faultsOf(failure?.each ?? []);
  const set = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  return {
    values,
    set,
    field: (name) => ({
      value: values[name],
      fault: faultOf(faults, name),
      onChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
    }),
    failure,
    fail,
  };
}

/** Whether a fault is about something in a field, such as `configuration/host` or `grants.0.teamId`. */
const isWithin = (field: string, name: string) => field.startsWith(name) && '/.'.includes(field.charAt(name.length) || ' ');

/** What is wrong with a field, or with something in it: then its place there goes before. */
export function faultOf(faults: ReadonlyMap<string, string>, name: string): string | undefined {
  const within = [...faults].filter(([field]) => isWithin(field, name));
  return (
    [faults.get(name), ...within.map(([field, message]) => `${field.slice(name.length + 1)}: ${message}`)].filter(Boolean).join(' ') ||
    undefined
  );
}

interface Props<Values> {
  readonly form: FormState<Values>;
  readonly label: string;
  /** The word on the button. */
  readonly submit: string;
  readonly danger?: boolean;
  /** Answers why it was refused. */
  readonly onSubmit: (values: Values) => Promise<Failure | null | undefined | void>;
  readonly onClose?: (() => void) | undefined;
  /** The word on the button beside it. */
  readonly close?: string;
  /** More to do at its foot. */
  readonly also?: ReactNode;
  readonly children: ReactNode;
}

export function Form<Values extends object>({
  form,
  label,
  submit,
  danger,
  onSubmit,
  onClose,
  close = 'Cancel',
  also,
  children,
}: Props<Values>) {
  const [busy, setBusy] = useState(false);
  const drawn = useRef<HTMLFormElement>(null);
  const { failure, fail, values } = form;
  const sent = useRef(false);
  // What has to be mended is gone to, but nobody is led away from what they are writing.
  useEffect(() => {
    const pressed = sent.current || document.activeElement?.matches('button');
    sent.current = false;
    if (failure && pressed) drawn.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failure]);

  async function send() {
    if (busy) return;
    setBusy(true);
    const refused = (await onSubmit(values)) ?? null;
    sent.current = refused !== null;
    fail(refused);
    setBusy(false);
  }

  return (
    <form
      ref={drawn}
      className="stack"
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {children}
      <Refusal failure={failure} fields={Object.keys(values)} />
      <div className="actions">
        {also}
        {onClose && <Button onClick={onClose}>{close}</Button>}
        <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** Why it was refused; of several fields only how many, as each says it itself. What no field says is said here. */
function Refusal({ failure, fields }: { readonly failure: Failure | null; readonly fields: readonly string[] }) {
  if (!failure) return null;
  const faults = faultsOf(failure.each);
  const elsewhere = [...faults].filter(([field]) => !fields.some((name) => field === name || isWithin(field, name)));
  const [first] = failure.each;
  const inTheWay = first ? obstacles(first) : [];
  if (faults.size > 0 && elsewhere.length === 0) {
    return <Notice each={inTheWay}>{faults.size === 1 ? 'One field needs' : `${faults.size} fields need`} another look.</Notice>;
  }
  if (faults.size > 1) return <Notice each={elsewhere.map(([, message]) => message)}>{faults.size} things need another look.</Notice>;
  return <Notice each={inTheWay}>{first ? words(first) : failure.words}</Notice>;
}
