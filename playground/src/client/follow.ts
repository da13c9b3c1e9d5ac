// Keeps what is on screen true. `entityChanged` tells which rows were created, updated and deleted; whatever shows them is read
// again, once a second at most. It begins, and after every lost connection begins again, with `initial`: then all is
// read again. While there is no live connection but an answer over HTTP, or the server cannot follow changes itself, all is read
// again every few seconds.
import type { Client } from '@urql/core';
import { onEnd, pipe, subscribe } from 'wonka';
import type { Answers, Held } from './answers';
import { FollowDocument, type FollowSubscription } from './generated';
import { lapsed } from './session';
import { liveState } from './socket';

const PAUSE = 1_000;
const POLL = 5_000;

type Change = FollowSubscription['entityChanged'];

/** `PIPELINE_SUBSCRIPTION` is the type `PipelineSubscription`. */
const typeName = (type: string) => type.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Lists beside those of the type itself that a change may bring a row into, or take it out of. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  SCHEMA_VERSION: ['SchemaSubject'],
  WORKER: ['Connector', 'Pipeline'],
  PIPELINE_SUBSCRIPTION: ['Pipeline'],
};

/** Whether an answer shows what has changed: the row itself, a list that it may have come into or left, or the audit trail. */
function shows(held: Held, { type, id }: Change): boolean {
  if (held.has('UserLogConnection') || (id && held.has(id))) return true;
  return type !== null && [typeName(type), ...(ALSO[type] ?? [])].some((name) => held.has(`${name}Connection`));
}

export function follow(client: Client, answers: Answers): () => void {
  let all = false;
  let changes: Change[] = [];
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function flush() {
    waiting = undefined;
    if (!all && changes.length === 0) return;
    const [everything, told] = [all, changes];
    [all, changes] = [false, []];
    waiting = setTimeout(flush, PAUSE);
    answers.refetch((held) => everything || told.some((change) => shows(held, change)));
  }
  const soon = () => (waiting ??= setTimeout(flush, 50));

  let following = true;
  let ended = false;
  let stop = () => {};
  let again: ReturnType<typeof setTimeout> | undefined;
  function begin() {
    following = true;
    const { unsubscribe } = pipe(
      client.subscription(FollowDocument, {}),
      // It ends when it is refused.
      onEnd(() => {
        following = false;
        if (!ended) again = setTimeout(begin, POLL);
      }),
      subscribe(({ data }) => {
        const change = data?.entityChanged;
        if (!change) return;
        if (change.initial) all = true;
        else changes.push(change);
        soon();
      }),
    );
    stop = unsubscribe;
  }
  begin();
  const poll = setInterval(() => {
    if ((following && liveState.get() === 'open') || lapsed.get()) return;
    all = true;
    soon();
  }, POLL);

  return () => {
    ended = true;
    stop();
    clearInterval(poll);
    clearTimeout(again);
    clearTimeout(waiting);
  };
}
