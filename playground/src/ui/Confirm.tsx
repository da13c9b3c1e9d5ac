// What cannot be taken back, or takes something away from somebody, asks first: one way for all of it.
import { useState, type ReactNode } from 'react';
import type { Outcome } from '../client/hooks';
import { Dialog } from './Dialog';
import { Button } from './parts';
import { say } from './toasts';

interface Props {
  readonly title: string;
  /** What comes of it. */
  readonly children: ReactNode;
  /** The word on the button that does it. */
  readonly verb: string;
  readonly danger?: boolean;
  readonly run: () => Promise<Outcome<unknown>>;
  /** What is said afterwards. */
  readonly done: string;
  readonly onClose: () => void;
}

export function Confirm({ title, children, verb, danger = false, run, done, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function onDo() {
    setBusy(true);
    const { errors } = await run();
    setBusy(false);
    if (errors) return setFault(errors.words);
    say(done);
    onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {fault && (
        <p className="notice" role="alert">
          {fault}
        </p>
      )}
      <div className="actions">
        <Button onClick={onClose}>Leave it</Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onDo}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
