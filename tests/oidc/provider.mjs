// A real OpenID provider (oidc-provider, certified by the OpenID Foundation) for tests/access/oidc.rs:
//   node provider.mjs PORT REDIRECT_URI
// prints "ready" once it listens. Anybody may sign in with any password: an address that begins with "unverified" was
// not checked. Signing keys are made anew at each start.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import Provider from 'oidc-provider';

const [port, redirectUri] = process.argv.slice(2);
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [{ client_id: 'pumphouse', client_secret: 'between us', redirect_uris: [redirectUri], grant_types: ['authorization_code'], response_types: ['code'] }],
  jwks: { keys: [{ ...key, kid: randomUUID(), use: 'sig', alg: 'RS256' }] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  // Claims stand in the ID token itself, as most providers have it.
  conformIdTokenClaims: false,
  findAccount: (_context, email) => ({
    accountId: email,
    claims: () => ({ sub: `subject of ${email}`.toLowerCase().replace(/\+.*@/, "@"), email, email_verified: !email.startsWith('unverified') }),
  }),
  cookies: { keys: ['for tests'] },
});
provider.on('server_error', (_context, error) => console.error(error));
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
