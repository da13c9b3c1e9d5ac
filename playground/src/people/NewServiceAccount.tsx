// A service account with its first grant; the API can give it more.
import { useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { CreateServiceAccountDocument, PlacesDocument, type EnvRole } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Button, Field } from '../ui/parts';
import { say } from '../ui/toasts';

export function NewServiceAccount({ onClose }: { readonly onClose: () => void }) {
  const [{ data }] = useQuery({ query: PlacesDocument });
  const [create, busy] = useMutate(CreateServiceAccountDocument);
  const [name, setName] = useState('');
  const [chosen, setPlace] = useState('');
  const [admin, setAdmin] = useState(false);
  const [worker, setWorker] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const envs = data?.envs.nodes ?? [];
  const teams = data?.teams.nodes ?? [];
  const place = chosen || teams[0]?.id || envs[0]?.id || '';
  const isEnv = envs.some(({ id }) => id === place);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    const role: EnvRole = admin ? 'ADMIN' : 'READER';
    const grants = [isEnv ? { envId: place, role } : { teamId: place, admin, worker }];
    const { errors } = await create({ input: { name, grants } });
    if (errors) return setFault(errors.words);
    say(`${name} is made. Issue a token for it.`);
    onClose();
  }

  return (
    <Dialog title="New service account" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Name">{(tied) => <input {...tied} required value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        <Field label="May work in">
          {(tied) => (
            <select {...tied} value={place} onChange={(event) => setPlace(event.target.value)}>
              {teams.map((team) => (
                <option key={team.id} value={team.id}>
                  team {team.name}
                </option>
              ))}
              {envs.map((env) => (
                <option key={env.id} value={env.id}>
                  environment {env.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <label className="check">
          <input type="checkbox" checked={admin} onChange={(event) => setAdmin(event.target.checked)} />
          {isEnv ? 'As its admin; otherwise it reads' : 'As its admin; otherwise as a member'}
        </label>
        {!isEnv && (
          <label className="check">
            <input type="checkbox" checked={worker} onChange={(event) => setWorker(event.target.checked)} />
            Acts for the team’s workers
          </label>
        )}
        {fault && (
          <p className="notice" role="alert">
            {fault}
          </p>
        )}
        <div className="actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
