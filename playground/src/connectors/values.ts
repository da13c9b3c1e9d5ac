// What a form for a configuration needs to know of its JSON Schema, and how values become a configuration and back.
export interface Property {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly writeOnly?: boolean;
  readonly 'x-destination'?: boolean;
  readonly items?: { readonly properties?: Readonly<Record<string, Property>>; readonly required?: readonly string[] };
}

export interface ConfigurationSchema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

export interface Hint {
  readonly widget?: string;
  readonly placeholder?: string;
  readonly visibleWhen?: { readonly field: string; readonly is: readonly unknown[] };
}

export interface UiHints {
  readonly order: readonly string[];
  readonly groups: readonly { readonly title: string; readonly fields: readonly string[] }[];
  readonly fields: Readonly<Record<string, Hint>>;
}

export type Values = Readonly<Record<string, unknown>>;

/** A secret that is not here: the one that is stored, or one that is found where the worker runs. */
export interface Reference {
  readonly $secret: string;
}

export const STORED: Reference = { $secret: 'stored' };

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$secret' in value && typeof value.$secret === 'string';
}

export function initial(schema: ConfigurationSchema): Values {
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([key, { default: preset }]) => (preset === undefined ? [] : [[key, preset]])),
  );
}

export function visible(key: string, hints: UiHints, values: Values): boolean {
  const when = hints.fields[key]?.visibleWhen;
  return !when || (when.is.includes(values[when.field]) && visible(when.field, hints, values));
}

/** What is sent: what was filled in and matters. An empty field is one that is left out. */
export function configurationOf(schema: ConfigurationSchema, hints: UiHints, values: Values): Record<string, unknown> {
  const filled = (value: unknown) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.keys(schema.properties)
      .filter((key) => visible(key, hints, values) && filled(values[key]))
      .map((key) => [key, values[key]]),
  );
}
