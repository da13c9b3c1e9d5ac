// Where one can go, and which env or team the pages are about.
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { PlacesDocument } from '../client/generated';
import icon from '../icon.svg';
import { scopeSearch, useScope, useScoped, type Scope } from './scope';

const PAGES = [
  ['/', 'Board'],
  ['/connectors', 'Connectors'],
  ['/datamodels', 'Datamodels'],
  ['/schemas', 'Schemas'],
  ['/people', 'People'],
  ['/audit', 'Audit trail'],
  ['/explorer', 'Explorer'],
] as const;

/** Addresses that belong to a page beside its own. */
const MORE: Readonly<Record<string, readonly string[]>> = { '/': ['/pipelines'], '/schemas': ['/register'] };

export function Sidebar({ open }: { readonly open: boolean }) {
  const scoped = useScoped();
  const [location] = useLocation();
  const within = (path: string) => [path, ...(MORE[path] ?? [])].some((one) => (one === '/' ? location === one : location.startsWith(one)));
  return (
    <aside id="menu" className="sidebar" data-open={open} aria-label="Menu">
      <p className="brand">
        <img src={icon} alt="" width="26" height="26" />
        Pumphouse
      </p>
      <nav aria-label="Pages">
        <ul>
          {PAGES.map(([path, word]) => (
            <li key={path}>
              <Link href={scoped(path)} aria-current={within(path) ? 'page' : undefined}>
                {word}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Places />
    </aside>
  );
}

function Places() {
  const [{ data }] = useQuery({ query: PlacesDocument });
  const scope = useScope();
  const [location] = useLocation();
  // A filter chosen on the page of one thing leads back to the list that it narrows.
  const list = ['/connectors', '/datamodels', '/people', '/audit'].find((one) => location.startsWith(one)) ?? '/';
  const link = (word: string, to: Scope) => {
    const chosen = scope.teamId ? scope.teamId === to.teamId : scope.envId === to.envId && !to.teamId;
    return (
      <Link href={list + scopeSearch(to)} aria-current={chosen ? 'true' : undefined}>
        {word}
      </Link>
    );
  };
  if (!data) return null;
  const { envs, teams } = data;
  const homeless = teams.nodes.filter(({ envId }) => !envs.nodes.some(({ id }) => id === envId));
  const listOf = (of: typeof teams.nodes) =>
    of.length > 0 && (
      <ul className="teams">
        {of.map((team) => (
          <li key={team.id}>{link(team.name ?? 'Unnamed team', { envId: team.envId, teamId: team.id })}</li>
        ))}
      </ul>
    );
  return (
    <nav aria-label="Environments and teams">
      <h2>Environments and teams</h2>
      <ul>
        <li>{link('Everything', { envId: null, teamId: null })}</li>
        {envs.nodes.map((env) => (
          <li key={env.id}>
            {link(env.name ?? 'Unnamed environment', { envId: env.id, teamId: null })}
            {listOf(teams.nodes.filter(({ envId }) => envId === env.id))}
          </li>
        ))}
      </ul>
      {listOf(homeless)}
      {envs.nodes.length + teams.nodes.length === 0 && <p className="quiet small">You belong to none yet.</p>}
    </nav>
  );
}
