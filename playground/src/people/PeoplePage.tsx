// Who belongs to an env or team, who is invited, who asks to join; and the accounts of programs.
import { useState } from 'react';
import { useQuery } from 'urql';
import { useCan } from '../app/rights';
import { useScope } from '../app/scope';
import { PlacesDocument } from '../client/generated';
import { Button, Empty, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { Join } from './Join';
import { OwnRequests } from './OwnRequests';
import { PlacePanel } from './PlacePanel';
import { useEnvPlace, useTeamPlace } from './place';
import { Roles } from './Roles';
import { ServiceAccounts } from './ServiceAccounts';
import { Superusers } from './Superusers';
import { ToDecide } from './ToDecide';
import './panel.css';
import './people.css';

export default function PeoplePage() {
  const { envId, teamId } = useScope();
  const can = useCan();
  const [joining, setJoining] = useState(false);
  const [result] = useQuery({ query: PlacesDocument });
  return (
    <div className="stack">
      <Title text="People">
        <Button onClick={() => setJoining(true)}>Ask to join…</Button>
      </Title>
      <ToDecide />
      <OwnRequests />
      <Shown of={result}>
        {({ envs, teams }) => {
          // Without a choice: all envs, or for whoever belongs to none of them, their teams.
          const shownEnvs = teamId ? [] : envs.nodes.filter(({ id }) => !envId || id === envId);
          const shownTeams = teams.nodes.filter(({ id, envId: env }) => (teamId ? id === teamId : !envId || env === envId));
          if (shownEnvs.length + shownTeams.length === 0) {
            return (
              <Empty title="You belong to no environment and no team yet.">
                Somebody who administers one can invite you by your email, or give you the link to it, with which you ask to join.
              </Empty>
            );
          }
          return (
            <>
              <Roles />
              {shownEnvs.map(({ id }) => (
                <EnvPanel key={id} id={id} administers={can('administer', { teamId: null, envId: id })} />
              ))}
              {shownTeams.map(({ id, envId: env }) => (
                <TeamPanel key={id} id={id} administers={can('administer', { teamId: id, envId: env })} />
              ))}
            </>
          );
        }}
      </Shown>
      <ServiceAccounts />
      <Superusers />
      {joining && <Join onClose={() => setJoining(false)} />}
    </div>
  );
}

interface PanelProps {
  readonly id: string;
  readonly administers: boolean;
}

const EnvPanel = ({ id, administers }: PanelProps) => <PlacePanel kind="Environment" administers={administers} {...useEnvPlace(id)} />;
const TeamPanel = ({ id, administers }: PanelProps) => <PlacePanel kind="Team" administers={administers} {...useTeamPlace(id)} />;
