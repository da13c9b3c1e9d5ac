// Deleting asks first, says what goes with it, and what is in the way when it is refused.
import { useState, type ReactNode } from 'react';
import type { Outcome } from '../client/hooks';
import { Dialog } from './Dialog';
import { Form, useForm } from './Form';
import { CheckField } from './inputs';
import { Button } from './parts';
import { say } from './toasts';

interface Props {
  readonly name: string;
  /** What becomes of all that has to do with it. */
  readonly children: ReactNode;
  /** A choice, where there is one. */
  readonly also?: string;
  readonly run: (also: boolean) => Promise<Outcome<unknown>>;
  readonly onDone: () => void;
}

export function Delete(props: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" aria-label={`Delete ${props.name}`} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && <Ask {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function Ask({ name, children, also, run, onDone, onClose }: Props & { readonly onClose: () => void }) {
  const form = useForm({ also: false });
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <Form
        form={form}
        label={`Delete ${name}`}
        submit={`Delete ${name}`}
        danger
        onClose={onClose}
        close="Keep it"
        onSubmit={async (chosen) => {
          const { errors } = await run(chosen.also);
          if (errors) return errors;
          say(`${name} is deleted.`);
          onClose();
          onDone();
        }}
      >
        <p>{children}</p>
        {also && <CheckField label={also} {...form.field('also')} />}
      </Form>
    </Dialog>
  );
}
