// The fields of a version at a glance, and since which version each is as it is.
import { Scroll } from '../ui/parts';
import { fieldsOf, type SchemaField } from './shape';

interface Version {
  readonly version: number;
  readonly schema: { readonly schema: string } | null;
}

interface Props {
  /** The newest first. */
  readonly versions: readonly Version[];
  readonly shown: Version;
}

const read = ({ schema }: Version) => fieldsOf(schema?.schema ?? '') ?? [];

/** The oldest version from which on it has been there like this. */
function since({ name, type }: SchemaField, versions: readonly Version[]): number | undefined {
  const without = versions.findIndex((version) => !read(version).some((one) => one.name === name && one.type === type));
  return versions.at(without < 0 ? -1 : without - 1)?.version;
}

export function Fields({ versions, shown }: Props) {
  const fields = fieldsOf(shown.schema?.schema ?? '');
  if (!fields) return null;
  const until = versions.filter(({ version }) => version <= shown.version);
  const before = until[1] ? read(until[1]) : [];
  const gone = before.filter(({ name }) => !fields.some((one) => one.name === name));
  return (
    <section className="card stack tight" aria-label="Fields">
      <h2>Fields of version {shown.version}</h2>
      <Scroll label="Table of fields">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Type</th>
              <th scope="col">As it is since</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => {
              const first = since(field, until);
              const isNew = until.length > 1 && first === shown.version;
              const changed = before.find(({ name }) => name === field.name);
              return (
                <tr key={field.name}>
                  <td>
                    <b>{field.name}</b>
                  </td>
                  <td>
                    {field.type}
                    {isNew && changed && <span className="quiet small"> was {changed.type}</span>}
                  </td>
                  <td className="quiet">
                    version {first}
                    {isNew && <span data-mood="good"> {changed ? 'changed' : 'new'}</span>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {gone.length > 0 && (
        <p data-mood="bad">
          No more there: {gone.map(({ name }) => name).join(', ')}.
        </p>
      )}
    </section>
  );
}
