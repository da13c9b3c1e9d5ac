// The choices above the audit trail.
import type { ReactNode } from 'react';
import { Button, Field } from '../ui/parts';
import { VERB } from '../ui/words';
import { ACTORS, SINCE, THINGS, type Key, type Narrowed } from './narrowed';

interface Props {
  readonly narrowed: Narrowed;
  readonly onChange: () => void;
}

export function Filters({ narrowed, onChange }: Props) {
  const choose = (key: Key) => (value: string) => {
    onChange();
    narrowed.set(key, value);
  };
  const firsts = (choices: Readonly<Record<string, readonly [string, unknown]>>) =>
    Object.entries(choices).map(([key, [words]]) => [key, words] as const);
  return (
    <div className="row audit-filters">
      <Choice label="When" any="at any time" value={narrowed.get('since')} options={firsts(SINCE)} onChange={choose('since')} />
      <Field label="By whom">
        {(tied) => (
          <input
            {...tied}
            type="search"
            autoComplete="off"
            placeholder="part of an address"
            value={narrowed.get('by')}
            onChange={(event) => choose('by')(event.target.value)}
          />
        )}
      </Field>
      <Choice label="Who" any="everybody" value={narrowed.get('actors')} options={firsts(ACTORS)} onChange={choose('actors')} />
      <Choice label="What was done" any="anything" value={narrowed.get('action')} options={Object.entries(VERB)} onChange={choose('action')} />
      <Choice label="To what" any="anything" value={narrowed.get('of')} options={firsts(THINGS)} onChange={choose('of')} />
      {narrowed.any && (
        <Button
          kind="plain"
          onClick={() => {
            onChange();
            narrowed.clear();
          }}
        >
          Show all
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: ReactNode;
  readonly any: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(tied) => (
        <select {...tied} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{any}</option>
          {options.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
