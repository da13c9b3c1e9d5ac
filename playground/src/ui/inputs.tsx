// The controls of forms, each with its label, its hint and what is wrong with it.
import type { ComponentProps, ReactNode } from 'react';
import type { Bound } from './Form';
import { Field } from './parts';

interface Told {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

type TextProps = Told & Bound<string> & Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'autoFocus' | 'placeholder' | 'readOnly'>;

export function TextField({ label, hint, value, fault, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(tied) => <input {...tied} {...rest} value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

/** Several lines; `code` is written as it is read. */
export function LinesField({
  label,
  hint,
  value,
  fault,
  onChange,
  rows,
  code = false,
}: Told & Bound<string> & { rows: number; code?: boolean }) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(tied) => (
        <textarea
          {...tied}
          rows={rows}
          className={code ? 'code' : undefined}
          spellCheck={!code}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export type Option<Value extends string = string> = readonly [value: Value, word: ReactNode];

type SelectProps<Value extends string> = Told & Bound<Value> & { readonly options: readonly Option<Value>[]; readonly disabled?: boolean };

export function SelectField<Value extends string>({ label, hint, value, fault, onChange, options, disabled }: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(tied) => (
        <select {...tied} value={value} disabled={disabled} onChange={(event) => onChange(event.target.value as Value)}>
          {options.map(([one, word]) => (
            <option key={one} value={one}>
              {word}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({ label, hint, value, onChange }: Told & Bound<boolean>) {
  return (
    <label className="check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label} {hint && <span className="small quiet">{hint}</span>}
      </span>
    </label>
  );
}
