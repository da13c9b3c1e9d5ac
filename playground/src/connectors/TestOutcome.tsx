// What a test of a connection found.
import type { TestConfigurationMutation } from '../client/generated';
import { Notice } from '../ui/Notice';
import { Glyph } from '../ui/State';

export type Tested = TestConfigurationMutation['testConnectorConfiguration'];

export function TestOutcome({ outcome }: { readonly outcome: Tested | string }) {
  if (typeof outcome === 'string') return <Notice>{outcome}</Notice>;
  const { succeeded, supported, message, server, durationMs } = outcome;
  return (
    <Notice mood={succeeded ? 'good' : supported ? 'bad' : 'waiting'}>
      <Glyph shape={succeeded ? 'tick' : 'alert'} /> {message} {server && `It is ${server}.`} {succeeded && `(${durationMs} ms)`}
    </Notice>
  );
}
