// `pumphouse dev` with its demo, on a port and a data directory of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = process.env.PUMPHOUSE ?? new URL('../../target/debug/pumphouse', import.meta.url).pathname;

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export async function openServer() {
  const data = mkdtempSync(join(tmpdir(), 'pumphouse-browser-'));
  const port = await freePort();
  let child;

  async function start() {
    child = spawn(PROGRAM, ['dev', '--data-dir', data, '--listen', `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.setEncoding('utf8');
    let said = '';
    // Three lines, the last of which says how to sign in.
    for await (const text of child.stdout) {
      said += text;
      if (/^Sign in .*\n/m.test(said)) break;
    }
    if (!/^Sign in /m.test(said)) throw new Error(`pumphouse dev ended: ${said}`);
  }

  function ended(signal) {
    return new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', resolve);
      child.kill(signal);
    });
  }

  // Whatever happens to the tests, no server outlives them.
  process.once('exit', () => child.kill('SIGTERM'));
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    password: readFileSync(join(data, 'admin-password'), 'utf8').trim(),
    start,
    kill: () => ended('SIGKILL'),
    async close() {
      await ended('SIGTERM');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The API, beside the page: what somebody else does. */
export async function api(server, query, variables = {}, token) {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(errors[0].message);
  return data;
}

const tokens = new Map();

/** A token of theirs, beside that of the page; asked for once. */
export function tokenOf(server, email) {
  const query = 'mutation($i: LoginInput!) { login(input: $i) { accessToken } }';
  const ask = async () => (await api(server, query, { i: { email, password: server.password } })).login.accessToken;
  if (!tokens.has(email)) tokens.set(email, ask());
  return tokens.get(email);
}
