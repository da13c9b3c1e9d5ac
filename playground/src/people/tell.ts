// What came of a click, in a short message.
import type { Outcome } from '../client/hooks';
import { say } from '../ui/toasts';

export async function tell(outcome: Promise<Outcome<unknown>>, done: string): Promise<void> {
  const { errors } = await outcome;
  say(errors?.words ?? done, errors ? 'bad' : 'good');
}
