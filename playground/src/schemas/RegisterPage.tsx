// Registers a version of a subject. While it is written it is judged: whether it is sound, and whether it may follow.
import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { CheckSchemaDocument, LatestDocument, RegisterSchemaDocument, type SchemaType } from '../client/generated';
import { incompatibility } from '../client/errors';
import { useMutate, type Failure } from '../client/hooks';
import { Form, useForm } from '../ui/Form';
import { Allowed } from '../ui/Allowed';
import { FormPage, Frozen } from '../ui/FormPage';
import { LinesField, SelectField, TextField, type Option } from '../ui/inputs';
import { Notice } from '../ui/Notice';
import { Shown } from '../ui/Shown';
import { say } from '../ui/toasts';
import { COMPATIBILITY } from '../ui/words';
import { pretty } from './pretty';

const TYPES: readonly Option<SchemaType>[] = [
  ['AVRO', 'Avro'],
  ['JSON', 'JSON Schema'],
];

const EXAMPLE = pretty('{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}');

export default function RegisterPage() {
  const scoped = useScoped();
  const can = useCan();
  const [params] = useSearchParams();
  const subject = params.get('subject');
  const above = (
    <>
      <Link href={scoped('/schemas')}>Schemas</Link>
      {subject && (
        <>
          {' / '}
          <Link href={scoped(`/schemas/${encodeURIComponent(subject)}`)}>{subject}</Link>
        </>
      )}
    </>
  );
  return (
    <FormPage title={subject ? `New version of ${subject}` : 'Register a schema'} above={above}>
      <Allowed when={can('register')}>
        {subject ? <Next key={subject} subject={subject} /> : <Register subject="" type="AVRO" schema={EXAMPLE} />}
      </Allowed>
    </FormPage>
  );
}

/** The next version begins as the latest. */
function Next({ subject }: { readonly subject: string }) {
  const [result] = useQuery({ query: LatestDocument, variables: { name: subject } });
  return (
    <Shown of={result}>
      {({ schemaSubject }) =>
        schemaSubject && (
          <Frozen value={schemaSubject}>
            {({ latestVersion: { schema } }) => (
              <Register subject={subject} type={schema?.type ?? 'AVRO'} schema={pretty(schema?.schema ?? '')} known />
            )}
          </Frozen>
        )
      }
    </Shown>
  );
}

interface Props {
  readonly subject: string;
  readonly type: SchemaType;
  readonly schema: string;
  /** Whether the subject is there already. */
  readonly known?: boolean;
}

function Register({ subject, type, schema, known = false }: Props) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const [register] = useMutate(RegisterSchemaDocument);
  const form = useForm({ subject, type, schema });
  const { values, fail } = form;

  async function onSubmit(input: typeof values) {
    const { data, errors } = await register({ input });
    if (errors) return errors;
    const { created, schemaVersion } = data.registerSchema;
    say(
      created
        ? `Version ${schemaVersion.version} of ${schemaVersion.subject} is registered.`
        : `Its version ${schemaVersion.version} is the same, so nothing was registered.`,
    );
    go(scoped(`/schemas/${encodeURIComponent(schemaVersion.subject)}`));
  }

  return (
    <Form form={form} label="Schema" submit="Register" onSubmit={onSubmit}>
      <section className="card stack">
        {!known && (
          <TextField
            label="Subject"
            hint="By convention the topic and -key or -value."
            placeholder="shop.public.orders-value"
            {...form.field('subject')}
          />
        )}
        <SelectField label="Type" options={TYPES} {...form.field('type')} />
        <LinesField label="Schema" rows={16} code {...form.field('schema')} />
      </section>
      <Verdict values={values} onWrong={fail} />
    </Form>
  );
}

/** How long nobody has to write before it is judged. */
const PAUSE = 600;

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface Judged {
  readonly values: { readonly subject: string; readonly type: SchemaType; readonly schema: string };
  /** Takes what is wrong with the schema itself, and null once it is sound. */
  readonly onWrong: (failure: Failure | null) => void;
}

function Verdict({ values, onWrong }: Judged) {
  const settled = useSettled(values);
  const [{ data, error, fetching }] = useQuery({
    query: CheckSchemaDocument,
    variables: settled,
    pause: !settled.subject.trim() || !settled.schema.trim(),
    requestPolicy: 'network-only',
  });
  useEffect(() => {
    if (!fetching) onWrong(error ? { words: '', each: error.graphQLErrors } : null);
    // Only what the server says anew is passed on.
  }, [error, fetching]);
  const check = data?.checkSchemaCompatibility;
  if (!check || error || fetching) return null;
  if (check.compatible) {
    return <Notice mood="good">It may follow. The subject asks for {COMPATIBILITY[check.compatibility]}.</Notice>;
  }
  return (
    <Notice mood="waiting" each={check.incompatibilities.map(incompatibility)}>
      It may not follow: the subject asks for {COMPATIBILITY[check.compatibility]}.
    </Notice>
  );
}
