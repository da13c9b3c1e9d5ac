// One subject: its versions, what each changed, and the document as it was registered.
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { SubjectDocument, type SubjectQuery } from '../client/generated';
import { instant, plural } from '../ui/format';
import { Empty, Field, Scroll, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { COMPATIBILITY } from '../ui/words';
import { Diff } from './Diff';
import { Fields } from './Fields';
import { pretty } from './pretty';
import { UsedBy } from './UsedBy';
import './schemas.css';

type Subject = NonNullable<SubjectQuery['schemaSubject']>;

export default function SubjectPage({ subject }: { readonly subject: string }) {
  const scoped = useScoped();
  const can = useCan();
  const [result] = useQuery({ query: SubjectDocument, variables: { name: subject } });
  return (
    <div className="stack">
      <Title text={subject} above={<Link href={scoped('/schemas')}>Schemas</Link>}>
        {can('register') && (
          <Link href={scoped('/register', { subject })} className="button primary">
            Register a version
          </Link>
        )}
      </Title>
      <Shown of={result}>{({ schemaSubject }) => schemaSubject && <Versions subject={schemaSubject} />}</Shown>
    </div>
  );
}

function Versions({ subject: { name, versionCount, compatibility, versions } }: { readonly subject: Subject }) {
  const latest = versions.nodes[0];
  const [chosen, setChosen] = useState<number | null>(null);
  const [against, setAgainst] = useState<number | null>(null);
  const shown = versions.nodes.find(({ version }) => version === chosen) ?? latest;
  if (!shown) return <Empty title="It has no versions." />;
  const older = versions.nodes.filter(({ version }) => version < shown.version);
  const from = older.find(({ version }) => version === against) ?? older[0];
  return (
    <>
      <p className="quiet">
        {plural(versionCount, 'version')}; the next has to keep {COMPATIBILITY[compatibility]}.
      </p>
      <UsedBy subject={name} />
      <div className="versions">
        <ul className="card version-list" aria-label="Versions">
          {versions.nodes.map(({ id, version, timestamp }) => (
            <li key={id}>
              <button
                type="button"
                className="version"
                aria-pressed={version === shown.version}
                onClick={() => {
                  setChosen(version);
                  setAgainst(null);
                }}
              >
                Version {version}
                <span className="quiet small">
                  <time dateTime={timestamp}>{instant(timestamp)}</time>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <div className="stack">
          <Fields versions={versions.nodes} shown={shown} />
          {from && (
            <section className="card stack tight" aria-label="What changed">
              <div className="head">
                <h2>What changed in version {shown.version}</h2>
                <Field label="Since">
                  {(tied) => (
                    <select {...tied} value={from.version} onChange={(event) => setAgainst(Number(event.target.value))}>
                      {older.map(({ version }) => (
                        <option key={version} value={version}>
                          version {version}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              </div>
              <Diff subject={name} from={from.version} to={shown.version} />
            </section>
          )}
          <section className="card stack tight" aria-label="Document">
            <h2>
              Version {shown.version}, {shown.schema?.type === 'AVRO' ? 'Avro' : 'JSON Schema'}
            </h2>
            <Scroll label="Text of the document">
              <pre>{pretty(shown.schema?.schema ?? '')}</pre>
            </Scroll>
          </section>
        </div>
      </div>
    </>
  );
}
