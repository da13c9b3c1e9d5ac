// A service account and what it may do, as far as whoever makes or changes it may grant it.
import { useCan, usePlacesFor } from '../app/rights';
import {
  CreateServiceAccountDocument,
  SetGrantsDocument,
  type ServiceAccountGrantInput,
  type ServiceAccountsQuery,
} from '../client/generated';
import { faultsOf } from '../client/errors';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { faultOf, Form, useForm } from '../ui/Form';
import { CheckField, SelectField, TextField, type Option } from '../ui/inputs';
import { Button } from '../ui/parts';
import { say } from '../ui/toasts';
import type { Role } from './place';
import { ROLE } from './words';

interface Grant {
  /** `team:` or `env:` and its id. */
  readonly place: string;
  readonly role: Role;
  readonly worker: boolean;
}

const isEnv = (place: string) => place.startsWith('env:');

function input({ place, role, worker }: Grant): ServiceAccountGrantInput {
  const id = place.slice(place.indexOf(':') + 1);
  return isEnv(place) ? { envId: id, role } : { teamId: id, admin: role === 'ADMIN', worker };
}

type Account = ServiceAccountsQuery['serviceAccounts']['nodes'][number];

const granted = ({ envId, role, teamId, admin, worker }: Account['grants'][number]): Grant => ({
  place: envId ? `env:${envId}` : `team:${teamId ?? ''}`,
  role: role ?? (admin ? 'ADMIN' : 'MEMBER'),
  worker: worker ?? false,
});

interface Props {
  /** Null for a new one. */
  readonly before: Account | null;
  readonly onClose: () => void;
}

export function ServiceAccountForm({ before, onClose }: Props) {
  const { teams, envs, scoped } = usePlacesFor('administer');
  const [create] = useMutate(CreateServiceAccountDocument);
  const [set] = useMutate(SetGrantsDocument);
  const can = useCan();
  const envOf = new Map<string, string | null>([
    ...teams.map(({ id, envId }) => [`team:${id}`, envId] as const),
    ...envs.map(({ id }) => [`env:${id}`, id] as const),
  ]);
  const places: readonly Option[] = [
    ...teams.map(({ id, name }) => [`team:${id}`, `team ${name ?? ''}`] as const),
    ...envs.map(({ id, name }) => [`env:${id}`, `environment ${name ?? ''}`] as const),
  ];
  const [first] = scoped;
  const form = useForm<{ name: string; grants: readonly Grant[] }>({
    name: before?.name ?? '',
    grants: before?.grants.map(granted) ?? [{ place: first ? `team:${first.id}` : (places[0]?.[0] ?? ''), role: 'MEMBER', worker: false }],
  });
  const { grants } = form.values;
  const faults = faultsOf(form.failure?.each ?? []);
  const change = (index: number, changed: Partial<Grant>) =>
    form.set({ grants: grants.map((grant, at) => (at === index ? { ...grant, ...changed } : grant)) });
  const home = envOf.get(grants[0]?.place ?? '');
  const together = grants.length === 1 || can('span');
  const free = places.filter(([place]) => !grants.some((grant) => grant.place === place));
  // The grants of one account lie in one env, unless a superuser gives them.
  const next = free.filter(([place]) => can('span') || envOf.get(place) === home);

  return (
    <Dialog title={before ? `What ${before.name} may do` : 'New service account'} onClose={onClose}>
      <Form
        form={form}
        label="Service account"
        submit={before ? 'Save' : 'Create'}
        onClose={onClose}
        onSubmit={async ({ name }) => {
          const { errors } = before
            ? await set({ input: { serviceAccountId: before.id, grants: grants.map(input) } })
            : await create({ input: { name, grants: grants.map(input) } });
          if (errors) return errors;
          say(before ? `${name} may do that from now on.` : `${name} is made. Issue a token for it.`);
          onClose();
        }}
      >
        {!before && <TextField label="Name" autoComplete="off" {...form.field('name')} />}
        {grants.map((grant, index) => (
          <fieldset key={grant.place} className="grant" aria-label={`Grant ${index + 1}`}>
            <SelectField
              label="May work in"
              options={places.filter((one) => one[0] === grant.place || (together ? free : next).includes(one))}
              value={grant.place}
              fault={faultOf(faults, `grants/${index}`)}
              onChange={(place) => change(index, { place, role: 'MEMBER', worker: false })}
            />
            <SelectField<Role>
              label="As its"
              options={(isEnv(grant.place) ? (['READER', 'MEMBER', 'ADMIN'] as const) : (['MEMBER', 'ADMIN'] as const)).map((role) => [
                role,
                ROLE[role],
              ])}
              value={grant.role}
              fault={undefined}
              onChange={(role) => change(index, { role })}
            />
            {grants.length > 1 && (
              <Button
                kind="plain"
                aria-label={`Take away grant ${index + 1}`}
                onClick={() => form.set({ grants: grants.filter((one) => one !== grant) })}
              >
                Take away
              </Button>
            )}
            {!isEnv(grant.place) && (
              <CheckField
                label="Acts for the team’s workers"
                hint="For what runs workers: it is handed their configurations and reports for them. A script needs no such thing."
                value={grant.worker}
                fault={undefined}
                onChange={(worker) => change(index, { worker })}
              />
            )}
          </fieldset>
        ))}
        {next[0] && (
          <div>
            <Button onClick={() => form.set({ grants: [...grants, { place: next[0]?.[0] ?? '', role: 'MEMBER', worker: false }] })}>
              One more place
            </Button>
          </div>
        )}
      </Form>
    </Dialog>
  );
}
