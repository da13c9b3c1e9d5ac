// Debian's Chromium, and pages that note whatever must not happen: another host, a policy that was broken, an error.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function installed() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const places = process.env.PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error('no Chromium is installed; .ci/browser does that where it may');
  return found;
}

export function openBrowser() {
  return chromium.launch({ executablePath: installed() });
}

/** A page of a visitor of its own. `faults` collects what must not be; what a killed server causes is none of it. */
export async function openPage(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const faults = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && host !== server.host) faults.push(`a request to ${host}`);
  });
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== server.host) faults.push(`a socket to ${socket.url()}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/ERR_CONNECTION_REFUSED|WebSocket connection|Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  return { page, faults, close: () => context.close() };
}

export async function signIn(page, server, email, connected = 'Connected') {
  await page.goto(`${server.url}/playground`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(server.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('status', { name: 'Connection' }).getByText(connected).waitFor();
}
