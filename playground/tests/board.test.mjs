// The playground in a browser, on the demo organisation: every page, by mouse, by keyboard, without a server for a while.
// One server and one visitor for all of it, in the order that somebody would go; SCREENSHOTS=1 takes the README's pictures anew.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import { openBrowser, openPage, signIn } from './browser.mjs';
import { api, openServer, tokenOf } from './server.mjs';

const ADMIN = 'admin@example.com';
let server, browser, visitor, page, ids;

const row = (name) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
const connection = () => page.getByRole('status', { name: 'Connection' });

async function picture(name) {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: new URL(`../${name}.png`, import.meta.url).pathname });
}

before(async () => {
  browser = await openBrowser();
  server = await openServer();
  visitor = await openPage(browser, server);
  page = visitor.page;
  const token = await tokenOf(server, ADMIN);
  const query = '{ connectors { nodes { id name } } pipelines { nodes { id name } } datamodels { nodes { id name } } }';
  const found = await api(server, query, {}, token);
  ids = Object.fromEntries(
    [...found.connectors.nodes, ...found.pipelines.nodes, ...found.datamodels.nodes].map(({ name, id }) => [name, id]),
  );
});

after(async () => {
  await browser?.close();
  await server?.close();
});

test('one signs in by keyboard alone, and is told when the password is wrong', async () => {
  await page.goto(`${server.url}/playground`);
  await page.getByLabel('Email').waitFor();
  await page.keyboard.type(ADMIN);
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Email or password is wrong.').waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(server.password);
  await page.keyboard.press('Enter');
  await connection().getByText('Connected').waitFor();
  await page.getByText(/of 6 pipelines/).waitFor();
});

test('the board shows a sync that goes on by itself', async () => {
  const bar = page.getByRole('progressbar', { name: 'Sync of shop-postgres' });
  await bar.waitFor();
  const first = Number(await bar.getAttribute('aria-valuenow'));
  await page.waitForFunction(
    (before) => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) > before,
    first,
  );
  await row('orders-to-warehouse').getByText('Live').first().waitFor();
  await picture('board');
});

test('a pipeline is paused and started by keyboard alone', async () => {
  await page.keyboard.press('Tab');
  await page.evaluate(() => document.body.focus());
  const pause = row('customers-to-warehouse').getByRole('button', { name: 'Pause customers-to-warehouse' });
  // From the first thing on the page to the button, by Tab.
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined));
  for (let pressed = 0; pressed < 80 && !(await pause.evaluate((button) => button === document.activeElement)); pressed += 1) {
    await page.keyboard.press('Tab');
  }
  const order = () => page.locator('.pipeline h2').allInnerTexts();
  const before = await order();
  await page.keyboard.press('Enter');
  await row('customers-to-warehouse').locator('.pipeline-state').getByText('Paused').waitFor();
  const start = row('customers-to-warehouse').getByRole('button', { name: 'Start customers-to-warehouse' });
  await start.waitFor();
  assert(await start.evaluate((button) => button === document.activeElement), 'the focus stays on the button');
  assert.deepEqual(await order(), before, 'and the row where it was');
  await page.keyboard.press('Enter');
  await row('customers-to-warehouse').locator('.pipeline-state').getByText('Live').waitFor();
});

test('what somebody else does is seen at once', async () => {
  const token = await tokenOf(server, ADMIN);
  const input = { pipelineId: ids['catalogue-to-warehouse'] };
  await api(server, 'mutation($input: PausePipelineInput!) { pausePipeline(input: $input) { pipeline { id } } }', { input }, token);
  await row('catalogue-to-warehouse').locator('.pipeline-state').getByText('Paused').waitFor({ timeout: 5_000 });
  await api(server, 'mutation($input: StartPipelineInput!) { startPipeline(input: $input) { pipeline { id } } }', { input }, token);
  await row('catalogue-to-warehouse').locator('.pipeline-state').getByText('Live').waitFor({ timeout: 5_000 });
});

test('a list that is narrowed to a state gains and loses rows by itself', async () => {
  await page
    .getByRole('group', { name: 'Show only pipelines that are' })
    .getByRole('button', { name: /^Paused/ })
    .click();
  await row('orders-to-warehouse').waitFor({ state: 'detached' });
  const token = await tokenOf(server, ADMIN);
  const input = { pipelineId: ids['orders-to-warehouse'] };
  await api(server, 'mutation($input: PausePipelineInput!) { pausePipeline(input: $input) { pipeline { id } } }', { input }, token);
  await row('orders-to-warehouse').waitFor({ timeout: 5_000 });
  await api(server, 'mutation($input: StartPipelineInput!) { startPipeline(input: $input) { pipeline { id } } }', { input }, token);
  await row('orders-to-warehouse').waitFor({ state: 'detached', timeout: 5_000 });
});

test('a sync is started, and its tables are watched', async () => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Connectors' }).click();
  await page.getByRole('link', { name: 'billing-postgres' }).click();
  await page.getByRole('button', { name: 'Start a sync' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: /public\.payments/ }).check();
  await dialog.getByLabel('Other tables').fill('public.payroll');
  await dialog.getByRole('button', { name: 'Sync 2 tables' }).click();
  const run = page.getByRole('article').first();
  await run.getByText('Syncing').waitFor();
  await run.getByRole('progressbar', { name: 'public.payments' }).waitFor();
});

test('a colleague is invited, and the dialog keeps the focus and closes with Escape', async () => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People' }).click();
  const open = page.getByRole('button', { name: 'Invite somebody to commerce' });
  await open.click();
  for (let pressed = 0; pressed < 6; pressed += 1) {
    await page.keyboard.press('Tab');
    assert(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null));
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert(await open.evaluate((button) => button === document.activeElement));
  await open.click();
  await page.getByRole('dialog').getByLabel('Email').fill('colleague@example.com');
  await page.keyboard.press('Enter');
  const team = page.getByRole('region', { name: 'Team commerce' });
  await team.getByText('colleague@example.com').waitFor();
});

test('a role is changed after it was asked, and the audit trail says whose', async () => {
  const role = page.getByLabel('Role of env-member@example.com in production');
  await role.selectOption('READER');
  await page.getByRole('dialog').getByText('changes nothing').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await role.inputValue(), 'MEMBER');
  await role.selectOption('READER');
  await page.getByRole('dialog').getByRole('button', { name: 'Make reader' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.evaluate(() => scrollTo(0, 400));
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit trail' }).click();
  await page.getByRole('row', { name: /gave env-member@example\.com a role in environment production/ }).waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0, 'a new page begins at its top');
  // A part of an address is enough, and what was chosen stands in the address of the page.
  await page.getByLabel('By whom').fill('nobody-like-that');
  await page.getByText('Nothing of that kind').waitFor();
  await page.getByLabel('By whom').fill('admin@');
  await page.getByRole('cell', { name: ADMIN }).first().waitFor();
  await page.reload();
  assert.equal(await page.getByLabel('By whom').inputValue(), 'admin@');
  await page.getByRole('cell', { name: ADMIN }).first().waitFor();
  assert.equal(await page.getByText('the demo').count(), 0);
});

test('whoever is invited is told by whom and to what, and whoever asked to join may take that back', async () => {
  const other = await openPage(browser, server);
  await signIn(other.page, server, 'finance-member@example.com');
  await other.page.getByRole('link', { name: 'People' }).click();
  await other.page.getByText('commerce-admin@example.com invites you to team commerce as member').waitFor();
  await other.close();
  const newcomer = await openPage(browser, server);
  await signIn(newcomer.page, server, 'newcomer@example.com');
  await newcomer.page.getByRole('link', { name: 'People' }).click();
  await newcomer.page.getByRole('button', { name: /^Take back your request/ }).click();
  await newcomer.page.getByRole('heading', { name: 'What you have asked for' }).waitFor({ state: 'detached' });
  assert.deepEqual([...other.faults, ...newcomer.faults], []);
  await newcomer.close();
});

test('what is not there is said in words, and leads back', async () => {
  const none = '00000000-0000-4000-8000-000000000000';
  for (const path of ['pipelines/abc', `pipelines/${none}`, 'connectors/abc', 'datamodels/abc/edit', `pipelines/${none}/subscriptions/abc`]) {
    await page.goto(`${server.url}/playground/${path}`);
    await page.getByText('This does not exist any more, or is not yours to see.').waitFor();
  }
  await page.goto(`${server.url}/playground?env=${none}`);
  await page.getByText('This environment does not exist any more').waitFor();
  await page.getByRole('link', { name: 'Show everything' }).click();
  await row('orders-to-warehouse').waitFor();
});

test('a service account is granted several places at once', async () => {
  await page.goto(`${server.url}/playground/people`);
  await page.getByRole('button', { name: 'New service account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').waitFor();
  assert(await dialog.getByLabel('Name').evaluate((input) => input === document.activeElement));
  await dialog.getByLabel('Name').fill('browser-bot');
  await dialog.getByRole('button', { name: 'One more place' }).click();
  await dialog.getByLabel('May work in').nth(0).selectOption({ label: 'team commerce' });
  await dialog.getByLabel('May work in').nth(1).selectOption({ label: 'environment production' });
  await dialog.getByLabel('As its').nth(1).selectOption('READER');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const bot = page.getByRole('article', { name: 'browser-bot' });
  await bot.getByText('reader of production; member of commerce').waitFor();
  await bot.getByRole('button', { name: 'Issue a token' }).click();
  await dialog.getByLabel('Name').fill('nightly');
  await dialog.getByRole('button', { name: 'Issue the token' }).click();
  await dialog.getByLabel('Token', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await bot.getByRole('button', { name: 'Revoke the token nightly' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await bot.getByText('Token nightly issued').waitFor({ state: 'detached' });
  await bot.getByRole('button', { name: 'Delete browser-bot' }).click();
  await dialog.getByRole('button', { name: 'Delete browser-bot' }).click();
  await bot.waitFor({ state: 'detached' });
});

test('a connector is made in the form of its type, which names the fields that are wrong', async () => {
  await page.goto(`${server.url}/playground/connectors/new`);
  await page.getByLabel('Name', { exact: true }).fill('browser-postgres');
  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'commerce' });
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('alert').getByText('fields need another look').waitFor();
  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('Port').fill('1');
  await page.getByLabel('Database').fill('shop');
  await page.getByLabel('User').fill('nobody');
  await page.getByLabel('Password').fill('in-no-answer');
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('cannot be reached').waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'browser-postgres' }).waitFor();
  await page.getByText('stored, not shown').waitFor();
});

test('a pipeline is made in forms that name what is wrong, delivers, is changed and deleted', async () => {
  await page.goto(`${server.url}/playground`);
  await page.getByRole('link', { name: 'New pipeline' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('alert').waitFor();
  assert(await page.getByLabel('Name', { exact: true }).evaluate((input) => input === document.activeElement));
  await page.keyboard.type('browser-orders');
  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'commerce' });
  await page.getByLabel('Source', { exact: true }).selectOption({ label: 'shop-postgres (PostgreSQL)' });
  await page.getByLabel('Target', { exact: true }).selectOption({ label: 'warehouse-postgres (PostgreSQL)' });
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Not complete: it needs a subscription').waitFor();
  // A chart that cannot be read takes nothing else with it; so it is in the first hour of a server's first day.
  const refused = { data: { pipeline: null }, errors: [{ message: 'Not known.', path: ['pipeline', 'throughput'], extensions: { code: 'VALIDATION' } }] };
  await page.route(/graphql/, (route) =>
    route.request().postDataJSON()?.operationName === 'PipelineThroughput' ? route.fulfill({ json: refused }) : route.fallback(),
  );
  await page.reload();
  await page.getByText('Not complete: it needs a subscription').waitFor();
  await page.unroute(/graphql/);
  await page.getByRole('link', { name: 'Add a subscription' }).click();
  await page.getByLabel('Datamodel', { exact: true }).selectOption({ label: 'orders' });
  await page.getByLabel('Table', { exact: true }).fill('shop_orders');
  await page.getByText('Transforms and settings as JSON').click();
  await page.getByLabel('Transforms', { exact: true }).fill('[{"type": "hush"}]');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  assert(await page.getByLabel('Transforms', { exact: true }).evaluate((input) => input === document.activeElement));
  await page.getByLabel('Transforms', { exact: true }).fill('[]');
  await page.getByRole('button', { name: 'Create' }).click();
  // Another pipeline delivers into that table already.
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Table', { exact: true }).fill('browser_orders');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('cell', { name: 'browser_orders', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('browser-orders-2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'browser-orders-2' }).waitFor();
  // Whoever began before somebody else has saved is told so, and overwrites nothing.
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('browser-orders-3');
  const token = await tokenOf(server, ADMIN);
  const input = { pipelineId: page.url().match(/pipelines\/([^/]+)/)[1], targetConnectorId: null };
  await api(server, 'mutation($input: UpdatePipelineInput!) { updatePipeline(input: $input) { pipeline { id } } }', { input }, token);
  await page.waitForTimeout(1_500);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'browser-orders-2' }).click();
  await page.getByText('Not complete: it needs a target').waitFor();
  await page.getByRole('button', { name: 'Delete browser-orders-2' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Delete browser-orders-2' }).click();
  await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor();
  await row('orders-to-warehouse').waitFor();
  assert.equal(await page.getByRole('main').getByText('browser-orders').count(), 0);
});

test('a datamodel is made, and what is in the way of deleting is said in words', async () => {
  await page.goto(`${server.url}/playground/datamodels/new`);
  await page.getByLabel('Source', { exact: true }).selectOption({ label: 'browser-postgres (PostgreSQL)' });
  await page.getByLabel('Name', { exact: true }).fill('browser-things');
  await page.getByLabel('Source topic').fill('browser.public.things');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'browser-things' }).waitFor();
  const remove = async (name) => {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Delete ${name}` })
      .click();
  };
  await remove('browser-things');
  await page.getByRole('heading', { name: 'Datamodels', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'orders', exact: true }).click();
  await remove('orders');
  await page.getByRole('alert').getByText('The pipeline orders-to-warehouse').waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/playground/connectors/${ids['shop-postgres']}`);
  await remove('shop-postgres');
  await page.getByRole('alert').getByText('The pipeline customers-to-warehouse').waitFor();
  await page.keyboard.press('Escape');
});

test('a schema is judged while it is written, and registered', async () => {
  const token = await tokenOf(server, ADMIN);
  const [subject, compatibility] = ['browser.things-value', 'BACKWARD'];
  const things = (fields) => JSON.stringify({ type: 'record', name: 'Thing', fields });
  const id = { name: 'id', type: 'long' };
  await page.goto(`${server.url}/playground/register`);
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('textbox', { name: 'Schema' }).fill('{"type": "record"}');
  await page.getByText('A record, enum or fixed has a `name`.').waitFor();
  await page.getByRole('textbox', { name: 'Schema' }).fill(things([id]));
  await page.getByText('It may follow.').waitFor();
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByRole('heading', { name: subject }).waitFor();
  const query = 'mutation($input: SetSchemaCompatibilityInput!) { setSchemaCompatibility(input: $input) { schemaSubject { name } } }';
  await api(server, query, { input: { subject, compatibility } }, token);
  await page.getByRole('link', { name: 'Register a version' }).click();
  await page.getByRole('textbox', { name: 'Schema' }).fill(things([id, { name: 'weight', type: 'double' }]));
  await page.getByText('It may not follow').waitFor();
  await page.getByText(/Version 1, weight/).waitFor();
  await page.getByRole('textbox', { name: 'Schema' }).fill(things([id, { name: 'weight', type: 'double', default: 0 }]));
  await page.getByText('It may follow.').waitFor();
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByText('What changed in version 2').waitFor();
});

test('the sync comes to its end by itself, and says why a table failed', async () => {
  await page.goto(`${server.url}/playground/connectors/${ids['billing-postgres']}`);
  const run = page.getByRole('article').first();
  await run.getByText('permission denied for table payroll').waitFor({ timeout: 30_000 });
  await run.getByText('Partly failed').waitFor({ timeout: 60_000 });
  await run.getByText('60,000 rows').first().waitFor();
  assert.equal(await run.getByRole('progressbar', { name: 'public.payments' }).getAttribute('aria-valuenow'), '100');
});

test('every page is readable by everybody, light and dark, and on a narrow screen', async () => {
  const paths = {
    '/playground': 'Pipelines',
    [`/playground/pipelines/${ids['orders-to-warehouse']}`]: 'orders-to-warehouse',
    '/playground/connectors': 'Connectors',
    [`/playground/connectors/${ids['shop-postgres']}`]: 'shop-postgres',
    [`/playground/connectors/${ids['shop-postgres']}/edit`]: 'Edit shop-postgres',
    [`/playground/pipelines/${ids['orders-to-warehouse']}/edit`]: 'Edit orders-to-warehouse',
    [`/playground/pipelines/${ids['orders-to-warehouse']}/subscriptions/new`]: 'New subscription',
    [`/playground/pipelines/${ids['promotions-to-warehouse']}`]: 'promotions-to-warehouse',
    '/playground/datamodels': 'Datamodels',
    [`/playground/datamodels/${ids['orders']}`]: 'orders',
    [`/playground/datamodels/${ids['orders']}/edit`]: 'Edit orders',
    '/playground/register': 'Register a schema',
    '/playground/schemas': 'Schemas',
    '/playground/schemas/shop.public.orders-value': 'shop.public.orders-value',
    '/playground/people': 'People',
    '/playground/audit': 'Audit trail',
  };
  await page.addInitScript(axe.source);
  for (const [path, title] of Object.entries(paths)) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.waitForFunction(() => !document.querySelector('.skeleton'));
    await accessible(path);
    await page.emulateMedia({ colorScheme: 'dark' });
    await accessible(`${path}, dark`, ['color-contrast']);
    await page.setViewportSize({ width: 360, height: 800 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 360, `${path} is ${width} pixels wide`);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    if (title === 'shop-postgres') await picture('connector');
  }
});

/** GraphiQL's own tabs have a button to close them inside. */
const isGraphiqls = (id, { target }) => id === 'nested-interactive' && String(target).includes('graphiql-tab');

/** No serious finding of axe, of all its rules for WCAG AA or of these. */
async function accessible(where, rules) {
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] };
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), { runOnly, resultTypes: ['violations'] });
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.flatMap(({ id, nodes }) =>
    nodes.filter((node) => !isGraphiqls(id, node)).map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
  assert.deepEqual(told, [], where);
}

test('the explorer runs an example with the token of the session', async () => {
  await page.goto(`${server.url}/playground/explorer`);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  await page.getByRole('tab', { name: 'Pipelines', exact: true }).click();
  await page.locator('.graphiql-query-editor').getByText('query Pipelines').waitFor();
  // GraphiQL reads the name of the operation a moment after the tab was chosen. Of a long answer only the lines in sight are there.
  const answer = page.locator('.graphiql-response').getByText('pipelineStateCounts');
  for (let tried = 0; tried < 20 && !(await answer.isVisible()); tried += 1) {
    await page.getByRole('button', { name: /Execute query/ }).click();
    await answer.waitFor({ timeout: 1_000 }).catch(() => {});
  }
  await answer.waitFor();
  await accessible('explorer');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.locator('body.graphiql-dark .graphiql-query-editor .view-line').first().waitFor();
  await accessible('explorer, dark', ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
});

test('a subscription lists what has come, and another person finds none of these tabs', async () => {
  await page.getByRole('tab', { name: 'LiveWorkers', exact: true }).click();
  await page.locator('.graphiql-query-editor').getByText('subscription LiveWorkers').waitFor();
  const answer = page.locator('.graphiql-response').getByText('so far, the newest first');
  for (let tried = 0; tried < 20 && !(await answer.isVisible()); tried += 1) {
    await page.getByRole('button', { name: /Execute query|Stop query/ }).click();
    await answer.waitFor({ timeout: 1_000 }).catch(() => {});
  }
  await answer.waitFor();
  const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('graphiql:')));
  assert(kept.length > 0 && kept.every((key) => key.startsWith(`${ADMIN}/`)), kept.join());
});

test('a browser has one session, which ends in all of its tabs', async () => {
  const other = await openPage(browser, server);
  await signIn(other.page, server, 'env-reader@example.com');
  const second = await other.page.context().newPage();
  await second.goto(`${server.url}/playground/audit`);
  await second.getByRole('heading', { name: 'Audit trail' }).waitFor();
  await second.getByRole('button', { name: 'Sign out' }).click();
  await other.page.getByRole('heading', { name: 'Sign in to Pumphouse' }).waitFor();
  assert.deepEqual(other.faults, []);
  await other.close();
});

test('a password is changed in place, and every tab goes on', async () => {
  const other = await openPage(browser, server);
  await signIn(other.page, server, 'staging-admin@example.com');
  const second = await other.page.context().newPage();
  await second.goto(`${server.url}/playground/audit`);
  await second.getByRole('heading', { name: 'Audit trail' }).waitFor();
  await other.page.getByRole('button', { name: 'Password' }).click();
  await other.page.getByLabel('Present password').fill('not it');
  await other.page.getByLabel('New password', { exact: true }).fill('another good one');
  await other.page.getByLabel('New password again').fill('another good one');
  await other.page.getByRole('button', { name: 'Change it' }).click();
  await other.page.locator('[aria-invalid=true]').waitFor();
  await other.page.getByLabel('Present password').fill(server.password);
  await other.page.getByRole('button', { name: 'Change it' }).click();
  await other.page.getByText('Your password is changed.').waitFor();
  // With the token from before nothing would be read any more.
  await second.reload();
  await second.getByRole('table').waitFor();
  assert.equal(await second.getByRole('dialog').count(), 0);
  await other.page.getByRole('button', { name: 'Sign out' }).click();
  await other.page.getByLabel('Email').fill('staging-admin@example.com');
  await other.page.getByLabel('Password').fill('another good one');
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByRole('status', { name: 'Connection' }).getByText('Connected').waitFor();
  assert.deepEqual(other.faults, []);
  await other.close();
});

test('one team does not see the other', async () => {
  const other = await openPage(browser, server);
  await signIn(other.page, server, 'finance-admin@example.com');
  await other.page.getByRole('link', { name: 'payments-to-snowflake' }).waitFor();
  const text = await other.page.locator('body').innerText();
  assert(!/orders-to-warehouse|commerce|shop-postgres|staging/.test(text), text);
  await other.page.goto(`${server.url}/playground/pipelines/${ids['orders-to-warehouse']}`);
  await other.page.getByText('This does not exist any more, or is not yours to see.').waitFor();
  assert.deepEqual(other.faults, []);
  await other.close();
});

test('whoever may only read is offered nothing else', async () => {
  const other = await openPage(browser, server);
  await signIn(other.page, server, 'env-reader@example.com');
  await other.page.getByRole('link', { name: 'orders-to-warehouse' }).waitFor();
  assert.equal(await other.page.getByRole('button', { name: /^(Start|Pause|Restart) / }).count(), 0);
  await other.page.goto(`${server.url}/playground/connectors/${ids['shop-postgres']}`);
  await other.page.getByRole('heading', { name: 'Syncs' }).waitFor();
  const offers = /^(New|Add|Register|Edit|Delete|Invite|Issue|Take back|Start|Stop|Restart|Retry|Test)\b/;
  const nothingOffered = async () => {
    for (const role of ['button', 'link'])
      assert.deepEqual(await other.page.getByRole('main').getByRole(role, { name: offers }).allInnerTexts(), []);
  };
  await nothingOffered();
  for (const title of ['Board', 'Connectors', 'Datamodels', 'Schemas', 'People']) {
    await other.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title }).click();
    await other.page.getByRole('heading', { name: title === 'Board' ? 'Pipelines' : title, level: 1 }).waitFor();
    await other.page.waitForFunction(() => !document.querySelector('.skeleton'));
    await nothingOffered();
  }
  assert.deepEqual(other.faults, []);
  await other.close();
});

test('a session that ends is taken up again in place: nothing that was written is lost, and the socket goes on', async () => {
  await page.goto(`${server.url}/playground`);
  await row('catalogue-to-warehouse').waitFor();
  await page.getByRole('link', { name: 'New pipeline' }).click();
  await page.getByLabel('Name', { exact: true }).fill('written-before');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const kept = () => page.evaluate(() => JSON.parse(sessionStorage.getItem('pumphouse.session')));
  await api(server, 'mutation { logout { expiresAt } }', {}, (await kept()).token);
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await dialog.getByText('Email or password is wrong.').waitFor();
  await dialog.getByLabel('Password').fill(server.password);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await connection().getByText('Connected').waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'written-before');
  await page.getByRole('link', { name: 'Pipelines', exact: true }).click();
  const token = await tokenOf(server, ADMIN);
  const input = { pipelineId: ids['catalogue-to-warehouse'] };
  await api(server, 'mutation($input: PausePipelineInput!) { pausePipeline(input: $input) { pipeline { id } } }', { input }, token);
  await row('catalogue-to-warehouse').locator('.pipeline-state').getByText('Paused').waitFor({ timeout: 5_000 });
  await api(server, 'mutation($input: StartPipelineInput!) { startPipeline(input: $input) { pipeline { id } } }', { input }, token);
  await row('catalogue-to-warehouse').locator('.pipeline-state').getByText('Live').waitFor({ timeout: 5_000 });
  // And before it ends, for whoever wants to stay.
  const soon = { ...(await kept()), expiresAt: new Date(Date.now() + 300_000).toISOString() };
  await page.evaluate((session) => sessionStorage.setItem('pumphouse.session', JSON.stringify(session)), soon);
  await page.reload();
  await page.getByRole('button', { name: /stay signed in/ }).click();
  await page.getByRole('dialog').getByLabel('Password').fill(server.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /stay signed in/ }).waitFor({ state: 'detached' });
  await connection().getByText('Connected').waitFor();
  assert((await kept()).token !== soon.token);
});

test('where no socket is let through, the board asks every few seconds', async () => {
  const other = await openPage(browser, server);
  await other.page.routeWebSocket(/graphql/, (socket) => socket.close({ code: 1011, reason: 'not here' }));
  await signIn(other.page, server, ADMIN, 'Polling');
  const state = other.page.getByRole('listitem').filter({ hasText: 'catalogue-to-warehouse' }).locator('.pipeline-state');
  await state.getByText('Live').waitFor();
  const input = { pipelineId: ids['catalogue-to-warehouse'] };
  const token = await tokenOf(server, ADMIN);
  await api(server, 'mutation($input: PausePipelineInput!) { pausePipeline(input: $input) { pipeline { id } } }', { input }, token);
  await state.getByText('Paused').waitFor();
  assert.deepEqual(other.faults, []);
  await other.close();
});

test('without a server the board says so, and is right again by itself', async () => {
  await page.goto(`${server.url}/playground`);
  const pause = row('orders-to-warehouse').getByRole('button', { name: /^Pause/ });
  await pause.waitFor();
  await server.kill();
  await connection()
    .getByText(/Offline since/)
    .waitFor({ timeout: 30_000 });
  await row('orders-to-warehouse').waitFor();
  // What is old says so, and nothing is offered that nobody would do. A page that was never read comes by itself later.
  await page.getByText(/^As it was at/).waitFor();
  assert.equal(await pause.getAttribute('aria-disabled'), 'true');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit trail' }).click();
  await page.getByText('It comes by itself.').waitFor();
  await server.start();
  await page.getByRole('cell', { name: ADMIN }).first().waitFor({ timeout: 30_000 });
  await page.getByText(/^As it was at/).waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Board' }).click();
  await connection().getByText('Connected').waitFor({ timeout: 30_000 });
  const token = await tokenOf(server, ADMIN);
  const input = { pipelineId: ids['catalogue-to-warehouse'] };
  await api(server, 'mutation($input: StartPipelineInput!) { startPipeline(input: $input) { pipeline { id } } }', { input }, token);
  await row('catalogue-to-warehouse').locator('.pipeline-state').getByText('Live').waitFor({ timeout: 30_000 });
  await row('orders-to-warehouse').locator('.pipeline-state').getByText('Live').waitFor({ timeout: 30_000 });
});

test('nothing was asked of another host, and nothing went wrong on the way', () => {
  assert.deepEqual(visitor.faults, []);
});
