// Asks to join an env or a team. Whoever does not see it yet has its link, or its id, from somebody who does.
import { useState, type FormEvent } from 'react';
import { JoinEnvDocument, JoinTeamDocument } from '../client/generated';
import { codeOf } from '../client/errors';
import { useMutate, type Outcome } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Button, Field } from '../ui/parts';
import { say } from '../ui/toasts';

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** A link to a team names its env as well. */
function read(text: string): { readonly teamId?: string | undefined; readonly envId?: string | undefined } {
  const named = (key: string) => new RegExp(`[?&]${key}=(${ID.source})`, 'i').exec(text)?.[1];
  const [teamId, envId] = [named('team'), named('env')];
  if (teamId) return { teamId };
  if (envId) return { envId };
  const id = ID.exec(text)?.[0];
  return { teamId: id, envId: id };
}

export function Join({ onClose }: { readonly onClose: () => void }) {
  const [joinTeam, askingTeam] = useMutate(JoinTeamDocument);
  const [joinEnv, askingEnv] = useMutate(JoinEnvDocument);
  const [text, setText] = useState('');
  const [admin, setAdmin] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  /** An id alone does not say whether it is a team's or an env's. */
  async function join(): Promise<Outcome<unknown>> {
    const { teamId, envId } = read(text);
    const outcome = teamId ? await joinTeam({ input: { teamId, admin } }) : null;
    const elsewhere = outcome === null || outcome.errors?.each.some((error) => codeOf(error) === 'NOT_FOUND');
    return envId && elsewhere ? joinEnv({ input: { envId, role: admin ? 'ADMIN' : 'MEMBER' } }) : (outcome as Outcome<unknown>);
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!ID.test(text)) return setFault('There is no id in it: a link to a team ends with team= and its id.');
    const { errors } = await join();
    if (errors) return setFault(errors.words);
    say('You have asked to join. Its admins decide.');
    onClose();
  }

  return (
    <Dialog title="Ask to join a team or an environment" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <Field
          label="Its link"
          hint="From somebody who belongs to it: the address of their board when they have chosen the team or environment on the left."
          fault={fault ?? undefined}
        >
          {(tied) => (
            <input
              {...tied}
              required
              autoComplete="off"
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setFault(null);
              }}
            />
          )}
        </Field>
        <label className="check">
          <input type="checkbox" checked={admin} onChange={(event) => setAdmin(event.target.checked)} />
          As its admin; otherwise as a member
        </label>
        <div className="actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={askingTeam || askingEnv}>
            Ask to join
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
