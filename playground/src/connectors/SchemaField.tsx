// One field of a configuration, by the widget that its type's hints name.
import { Button, Field, Said } from '../ui/parts';
import { isReference, STORED, type Hint, type Property } from './values';

interface Props {
  readonly name: string;
  readonly property: Property;
  readonly hint: Hint;
  readonly required: boolean;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function SchemaField({ name, property, hint, required, value, fault, onChange }: Props) {
  const label = (
    <>
      {property.title ?? name} {!required && <span className="hint">optional</span>}
    </>
  );
  if (hint.widget === 'switch') {
    return (
      <label className="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        <span>
          {property.title ?? name}{' '}
          <span className="small quiet">
            <Said text={property.description ?? ''} />
          </span>
        </span>
      </label>
    );
  }
  return (
    <Field label={label} hint={property.description && <Said text={property.description} />} fault={fault}>
      {(tied) => {
        switch (hint.widget) {
          case 'select':
            return (
              <select {...tied} value={String(value ?? '')} onChange={(event) => onChange(event.target.value || undefined)}>
                {(!required || value === undefined) && <option value="">{required ? 'choose one' : 'not set'}</option>}
                {property.enum?.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            );
          case 'number':
            return (
              <input
                {...tied}
                type="number"
                inputMode="numeric"
                value={typeof value === 'number' ? value : ''}
                placeholder={hint.placeholder}
                onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
              />
            );
          case 'list':
            return <List tied={tied} value={value} placeholder={hint.placeholder} onChange={onChange} />;
          case 'table':
            return <Pairs label={property.title ?? name} value={value} onChange={onChange} />;
          case 'password':
          case 'secretTextarea':
            return <Secret tied={tied} value={value} multiline={hint.widget === 'secretTextarea'} onChange={onChange} />;
          case 'textarea':
            return (
              <textarea
                {...tied}
                value={String(value ?? '')}
                placeholder={hint.placeholder}
                onChange={(event) => onChange(event.target.value)}
              />
            );
          default:
            return (
              <input
                {...tied}
                type="text"
                value={String(value ?? '')}
                placeholder={hint.placeholder}
                onChange={(event) => onChange(event.target.value)}
              />
            );
        }
      }}
    </Field>
  );
}

type Tied = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

/** A stored secret stays until somebody gives another one. */
function Secret({
  tied,
  label,
  value,
  multiline,
  onChange,
}: {
  tied: Tied;
  /** Where no label is tied to it. */
  label?: string;
  value: unknown;
  multiline: boolean;
  onChange: (value: unknown) => void;
}) {
  if (isReference(value)) {
    return (
      <div className="row">
        <input
          {...tied}
          aria-label={label}
          className="grow"
          type="text"
          readOnly
          value={value.$secret === 'stored' ? 'stored, not shown' : `from ${value.$secret}`}
        />
        <Button onClick={() => onChange('')}>Replace</Button>
      </div>
    );
  }
  const text = String(value ?? '');
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  return multiline ? (
    <textarea {...tied} value={text} onChange={change} />
  ) : (
    <div className="row">
      <input {...tied} aria-label={label} className="grow" type="password" autoComplete="new-password" value={text} onChange={change} />
      {value === '' && (
        <Button kind="plain" onClick={() => onChange(STORED)}>
          Keep the stored one
        </Button>
      )}
    </div>
  );
}

function List({
  tied,
  value,
  placeholder,
  onChange,
}: {
  tied: Tied;
  value: unknown;
  placeholder: string | undefined;
  onChange: (value: unknown) => void;
}) {
  const lines = Array.isArray(value) ? value.join('\n') : '';
  return (
    <textarea
      {...tied}
      value={lines}
      placeholder={placeholder ?? 'One in each line'}
      onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
    />
  );
}

interface Pair {
  readonly name: string;
  readonly value: unknown;
}

/** Names with secret values, such as headers. */
function Pairs({ label, value, onChange }: { label: string; value: unknown; onChange: (value: unknown) => void }) {
  const pairs: readonly Pair[] = Array.isArray(value) ? (value as readonly Pair[]) : [];
  const set = (index: number, changed: Partial<Pair>) => onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...changed } : pair)));
  return (
    <div className="stack tight">
      {pairs.map((pair, index) => (
        <div className="row" key={index}>
          <input
            className="grow"
            aria-label={`${label}, name ${index + 1}`}
            placeholder="Name"
            value={pair.name}
            onChange={(event) => set(index, { name: event.target.value })}
          />
          <Secret
            tied={{ id: `${label}-${index}`, 'aria-describedby': undefined, 'aria-invalid': undefined }}
            label={`${label}, value ${index + 1}`}
            value={pair.value}
            multiline={false}
            onChange={(next) => set(index, { value: next })}
          />
          <Button kind="plain" onClick={() => onChange(pairs.filter((_, at) => at !== index))}>
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...pairs, { name: '', value: undefined }])}>Add</Button>
      </div>
    </div>
  );
}
