// What a test of a connection found.
import type { TestConfigurationMutation } from '../client/generated';
import { Glyph } from '../ui/State';

export type Tested = TestConfigurationMutation['testConnectorConfiguration'];

export function TestOutcome({ outcome }: { readonly outcome: Tested | string }) {
  if (typeof outcome === 'string')
    return (
      <p className="notice" role="alert">
        {outcome}
      </p>
    );
  const { succeeded, supported, message, server, durationMs } = outcome;
  return (
    <p className={`notice ${succeeded ? 'good' : supported ? '' : 'waiting'}`} role="status">
      <Glyph shape={succeeded ? 'tick' : 'alert'} /> {message} {server && `It is ${server}.`} {succeeded && `(${durationMs} ms)`}
    </p>
  );
}
