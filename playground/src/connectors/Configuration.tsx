// The configuration as the server shows it: secrets are said to be there, never shown. And whether it leads anywhere.
import { useState } from 'react';
import { useQuery } from 'urql';
import { useMayChange } from '../app/rights';
import { ConnectorTypeOfDocument, TestConnectorDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Button, Empty, Facts } from '../ui/parts';
import type { ConnectorShown } from './ConnectorPage';
import { isReference, type ConfigurationSchema } from './values';
import { TestOutcome, type Tested } from './TestOutcome';

export function Configuration({ connector }: { readonly connector: ConnectorShown }) {
  const mayChange = useMayChange();
  const [test, busy] = useMutate(TestConnectorDocument);
  const [testing, setTesting] = useState(false);
  const [outcome, setOutcome] = useState<Tested | string | null>(null);
  const [{ data: known }] = useQuery({ query: ConnectorTypeOfDocument, variables: { id: connector.connectorType } });
  const titles = (known?.connectorType?.configurationSchema as ConfigurationSchema | undefined)?.properties;
  const { jsonConfiguration } = connector;
  const entries = typeof jsonConfiguration === 'object' && jsonConfiguration !== null ? Object.entries(jsonConfiguration) : [];

  async function onTest() {
    setTesting(true);
    const { data, errors } = await test({ input: { connectorId: connector.id } });
    setTesting(false);
    setOutcome(data?.testConnector ?? errors?.words ?? null);
  }

  return (
    <section className="card stack" aria-label="Configuration">
      <div className="head">
        <h2>Configuration</h2>
        {mayChange && (
          <Button busy={busy} onClick={onTest}>
            {testing ? 'Testing…' : 'Test the connection'}
          </Button>
        )}
      </div>
      {outcome && <TestOutcome outcome={outcome} />}
      {entries.length === 0 ? (
        <Empty title="Nothing is configured." />
      ) : (
        <Facts of={entries.map(([key, value]: [string, unknown]) => [titles?.[key]?.title ?? key, said(value)] as const)} />
      )}
    </section>
  );
}

function said(value: unknown): string {
  if (isReference(value)) return value.$secret === 'stored' ? 'stored, not shown' : `from ${value.$secret}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
