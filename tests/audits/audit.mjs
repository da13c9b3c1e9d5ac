// `make audit`: starts the program, lays out the little that the audits need, runs all of them, and stops it.
//
// Always holds: the server has a data directory and a port of its own, so nothing that runs here is touched; what was
// started is stopped however this ends. Not here: the audits.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const program = process.argv[2];
const suites = process.argv.length > 3 ? process.argv.slice(3) : ['http', 'sse', 'ws'];
if (!program) {
  console.error('usage: node audit.mjs PROGRAM [http|ws|sse ...]');
  process.exit(2);
}
const data = mkdtempSync(path.join(tmpdir(), 'pumphouse-audit-'));
const server = spawn(program, ['dev', '--no-demo', '--listen', '127.0.0.1:0', '--data-dir', data], { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => server.on('exit', resolve));
const stop = async () => {
  server.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop().then(() => process.exit(1)));

/// The address that the server prints once it serves.
const address = () => new Promise((resolve, reject) => {
  let said = '';
  server.stdout.on('data', (text) => {
    said += text;
    const found = /GraphQL\s+(http:\S+)/.exec(said);
    if (found && /Sign in/.test(said)) resolve(found[1]);
  });
  ended.then((code) => reject(new Error(`the server has ended with ${code}`)));
});

const ask = async (url, token, query, variables = {}) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })).json();
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer.data;
};

// Takes connections and says nothing, for as long as an operation is to be slow.
const mute = net.createServer((socket) => {
  socket.on('error', () => {});
  setTimeout(() => socket.destroy(), 900);
});

let failed = true;
try {
  const url = await address();
  const input = { email: 'admin@example.com', password: readFileSync(path.join(data, 'admin-password'), 'utf8').trim() };
  const { login } = await ask(url, null, 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }', { input });
  const token = login.accessToken;
  const { createEnv } = await ask(url, token, 'mutation { createEnv(input: { name: "audit" }) { env { id } } }');
  const team = { envId: createEnv.env.id, name: 'audit', description: 'x'.repeat(10_000) };
  const { createTeam } = await ask(url, token, 'mutation($input: CreateTeamInput!) { createTeam(input: $input) { team { id } } }', { input: team });
  const teamId = createTeam.team.id;
  await new Promise((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const configuration = { host: '127.0.0.1', port: mute.address().port, database: 'shop', user: 'reader', password: 'none', sslMode: 'disable' };
  const connector = { teamId, connectorType: 'POSTGRES_SOURCE', configuration };
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await ask(url, token, 'mutation($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }', { input: { ...connector, name } });
  }
  const config = JSON.parse(readFileSync(path.join(here, 'config.pumphouse.json'), 'utf8'));
  config.mutation.variables.input = input;
  config.slow = {
    document: 'mutation Slow($input: TestConnectorConfigurationInput!) { testConnectorConfiguration(input: $input) { succeeded } }',
    variables: { input: connector },
  };
  // 2 MB for each of the six workers: more than the system takes for a client that does not read.
  const long = Array.from({ length: 200 }, (_, n) => `a${n}: description`).join(' ');
  config.flood = { document: `subscription Flood { workerChanged(filter: {}) { worker { connector { team { ${long} } } } } }` };
  const file = path.join(data, 'audit.json');
  writeFileSync(file, JSON.stringify(config));
  failed = false;
  for (const suite of suites) {
    console.log(`## ${suite}`);
    const env = { ...process.env, GRAPHQL_URL: url, GRAPHQL_TOKEN: token, AUDIT_CONFIG: file, SERVER_PID: String(server.pid) };
    const audit = spawn(process.execPath, [`${suite}-audit.mjs`], { cwd: here, env, stdio: 'inherit' });
    if ((await new Promise((resolve) => audit.on('exit', resolve))) !== 0) failed = true;
  }
} catch (error) {
  console.error(error.message);
} finally {
  mute.close();
  await stop();
}
process.exit(failed ? 1 : 0);
