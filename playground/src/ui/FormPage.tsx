// A page that is a form: its head, and what it is about frozen as it was read, so that nothing changes under the hands.
import { useState, type ReactNode } from 'react';
import { Title } from './parts';

interface Props {
  readonly title: string;
  /** The way back. */
  readonly above: ReactNode;
  readonly children: ReactNode;
}

export function FormPage({ title, above, children }: Props) {
  return (
    <div className="stack form-page">
      <Title text={title} above={above} />
      {children}
    </div>
  );
}

/** What was read first; what another has saved meanwhile is a conflict, told when it is saved here. */
export function Frozen<Value>({ value, children }: { readonly value: Value; readonly children: (value: Value) => ReactNode }) {
  const [first] = useState(value);
  return children(first);
}
