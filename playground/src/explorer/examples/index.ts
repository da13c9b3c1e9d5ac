// The ready-made tabs, in order. The documents are files of their own, so that a test of the server can check each against the schema.
import board from './board.graphql?raw';
import liveSync from './live-sync.graphql?raw';
import liveWorkers from './live-workers.graphql?raw';
import signIn from './sign-in.graphql?raw';
import startAndStop from './start-and-stop.graphql?raw';

export interface Example {
  readonly query: string;
  readonly variables: string | null;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

export const examples: readonly Example[] = [
  { query: signIn, variables: json({ email: '', password: '' }) },
  { query: board, variables: null },
  { query: liveWorkers, variables: null },
  { query: liveSync, variables: null },
  { query: startAndStop, variables: json({ connectorId: '', workerId: '', table: 'customers' }) },
];
