// A button whose deed is asked about first, with what goes with it; what is in its way is said there, too.
import { useState, type ReactNode } from 'react';
import type { Outcome } from '../client/hooks';
import { Dialog } from './Dialog';
import { Form, useForm } from './Form';
import { CheckField } from './inputs';
import { Button } from './parts';
import { say } from './toasts';

interface Asked {
  readonly kind?: 'danger' | 'plain';
  readonly question: string;
  /** The word on the button that does it, and on the one that does not. */
  readonly yes: string;
  readonly no?: string;
  /** What comes of it. */
  readonly children: ReactNode;
  /** A choice, where there is one. */
  readonly also?: string;
  readonly run: (also: boolean) => Promise<Outcome<unknown>>;
  /** What is said when it is done. */
  readonly done: string;
  readonly onDone?: () => void;
}

interface Props extends Asked {
  /** The word on the button. */
  readonly word: string;
  /** The button by name, where its word alone does not say what it is about. */
  readonly label?: string;
  readonly refused?: string | false | undefined;
}

export function Ask(props: Props) {
  const [asking, setAsking] = useState(false);
  const { word, label, kind, refused } = props;
  return (
    <>
      <Button {...(kind ? { kind } : {})} refused={refused} aria-label={label} onClick={() => setAsking(true)}>
        {word}
      </Button>
      {asking && <Question {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

/** The question alone, for what is no button. */
export function Question({
  question,
  yes,
  no = 'Cancel',
  kind,
  children,
  also,
  run,
  done,
  onDone,
  onClose,
}: Asked & { readonly onClose: () => void }) {
  const form = useForm({ also: false });
  return (
    <Dialog title={question} onClose={onClose}>
      <Form
        form={form}
        label={question}
        submit={yes}
        danger={kind === 'danger'}
        onClose={onClose}
        close={no}
        onSubmit={async (chosen) => {
          const { errors } = await run(chosen.also);
          if (errors) return errors;
          say(done);
          onClose();
          onDone?.();
        }}
      >
        <p>{children}</p>
        {also && <CheckField label={also} {...form.field('also')} />}
      </Form>
    </Dialog>
  );
}

type DeleteProps = Pick<Props, 'children' | 'also' | 'run' | 'onDone'> & { readonly name: string };

export function Delete({ name, ...rest }: DeleteProps) {
  return (
    <Ask
      word="Delete"
      label={`Delete ${name}`}
      kind="danger"
      question={`Delete ${name}?`}
      yes={`Delete ${name}`}
      no="Keep it"
      done={`${name} is deleted.`}
      {...rest}
    />
  );
}
