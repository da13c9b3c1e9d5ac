// A token for a service account: what it is for, how long it lives, and then its text, which is shown this once.
import { useState, type FormEvent } from 'react';
import { IssueTokenDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Button, Field } from '../ui/parts';
import { say } from '../ui/toasts';

const DAY = 86_400;
const LIFETIMES = [
  [7 * DAY, 'a week'],
  [30 * DAY, '30 days'],
  [90 * DAY, '90 days'],
  [365 * DAY, 'a year'],
] as const;

interface Props {
  readonly accountId: string;
  readonly account: string;
  readonly onClose: () => void;
}

export function NewToken({ accountId, account, onClose }: Props) {
  const [issue, busy] = useMutate(IssueTokenDocument);
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<number>(30 * DAY);
  const [fault, setFault] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    const { data, errors } = await issue({ input: { serviceAccountId: accountId, name: name.trim(), lifetime } });
    if (errors) setFault(errors.words);
    else setToken(data.issueServiceAccountToken.accessToken);
  }

  if (token) {
    return (
      <Dialog title={`A token for ${account}`} onClose={onClose}>
        <p>It is shown this once. It lives for {LIFETIMES.find(([seconds]) => seconds === lifetime)?.[1]}, or until it is revoked.</p>
        <textarea readOnly aria-label="Token" rows={6} value={token} onFocus={(event) => event.target.select()} />
        <div className="actions">
          <Button onClick={() => navigator.clipboard.writeText(token).then(() => say('Copied.'))}>Copy</Button>
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Issue a token for ${account}`} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="What it is for" hint="So that you know later which program uses it.">
          {(tied) => (
            <input
              {...tied}
              required
              maxLength={100}
              autoComplete="off"
              placeholder="nightly script"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="How long it lives">
          {(tied) => (
            <select {...tied} value={lifetime} onChange={(event) => setLifetime(Number(event.target.value))}>
              {LIFETIMES.map(([seconds, words]) => (
                <option key={seconds} value={seconds}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        {fault && (
          <p className="notice" role="alert">
            {fault}
          </p>
        )}
        <div className="actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Issue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
