// What stands in the fields of a form, and what of it is sent.
import { refusal } from '../client/errors';
import type { Failure } from '../client/hooks';

/** A document as it is written into a field. */
export const written = (document: unknown) => (document === null || document === undefined ? '' : JSON.stringify(document, null, 2));

/** An empty field stands for none. */
export const orNull = (text: string) => text || null;

type Read<Names extends string> =
  | { readonly documents: Readonly<Record<Names, unknown>>; readonly failure: null }
  | { readonly documents: null; readonly failure: Failure };

/** The documents of these fields, or what is no JSON; an empty field stands for null. */
export function readDocuments<Names extends string>(texts: Readonly<Record<Names, string>>): Read<Names> {
  const documents: Partial<Record<Names, unknown>> = {};
  for (const name of Object.keys(texts) as Names[]) {
    try {
      documents[name] = texts[name].trim() ? JSON.parse(texts[name]) : null;
    } catch (error) {
      return {
        documents: null,
        failure: refusal(name, `This is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`),
      };
    }
  }
  return { documents: documents as Record<Names, unknown>, failure: null };
}

/** Those of the fields that are not as they were: what was not touched needs no right, and overwrites nothing. */
export function changed<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const entries = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]));
  return Object.fromEntries(entries) as Partial<Fields>;
}
