// The fields of a registered document, in words: of an Avro record or of a JSON Schema's object.

export interface SchemaField {
  readonly name: string;
  readonly type: string;
}

type Json = unknown;
const isObject = (value: Json): value is Readonly<Record<string, Json>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null where the document is of something else than named fields. */
export function fieldsOf(document: string): readonly SchemaField[] | null {
  let schema: Json;
  try {
    schema = JSON.parse(document);
  } catch {
    return null;
  }
  if (!isObject(schema)) return null;
  const { fields, properties, required } = schema;
  if (Array.isArray(fields)) {
    return fields.filter(isObject).map((field) => ({ name: String(field['name']), type: avro(field['type']) }));
  }
  if (!isObject(properties)) return null;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, one]) => ({ name, type: json(one) + (needed.includes(name) ? '' : ', may be missing') }));
}

function avro(type: Json): string {
  if (Array.isArray(type)) {
    const some = type.filter((one) => one !== 'null').map(avro);
    return [...some, ...(some.length < type.length ? ['null'] : [])].join(' or ');
  }
  if (!isObject(type)) return String(type);
  const { logicalType, type: kind, items, values, name, symbols } = type;
  if (typeof logicalType === 'string') return `${logicalType} (${String(kind)})`;
  if (kind === 'array') return `list of ${avro(items)}`;
  if (kind === 'map') return `map of ${avro(values)}`;
  if (kind === 'enum' && Array.isArray(symbols)) return `one of ${symbols.join(', ')}`;
  return typeof name === 'string' ? `${String(kind)} ${name}` : avro(kind);
}

function json(schema: Json): string {
  if (!isObject(schema)) return schema === false ? 'nothing' : 'anything';
  const { type, format, items, $ref, anyOf, oneOf } = schema;
  const choices = schema['enum'];
  if (Array.isArray(choices)) return `one of ${choices.map(String).join(', ')}`;
  for (const some of [anyOf, oneOf]) if (Array.isArray(some)) return some.map(json).join(' or ');
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (type === 'array') return `list of ${json(items)}`;
  const kind = Array.isArray(type) ? type.join(' or ') : String(type ?? 'anything');
  return typeof format === 'string' ? `${kind} (${format})` : kind;
}
