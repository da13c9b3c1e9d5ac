// The subjects of the schema registry.
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { SubjectsDocument } from '../client/generated';
import { count, plural } from '../ui/format';
import { More, usePages, type PageOf } from '../ui/Pages';
import { Ago, Empty, Scroll, Title } from '../ui/parts';
import { Search } from '../ui/Search';
import { Shown } from '../ui/Shown';
import { COMPATIBILITY } from '../ui/words';

export default function SchemasPage() {
  const scoped = useScoped();
  const can = useCan();
  const [params] = useSearchParams();
  const { pages, restart } = usePages();
  const search = params.get('search') ?? '';

  return (
    <div className="stack">
      <Title text="Schemas">
        <div className="row">
          <Search label="Search subjects by name" onChange={restart} />
          {can('register') && (
            <Link href={scoped('/register')} className="button primary">
              Register a schema
            </Link>
          )}
        </div>
      </Title>
      {pages.map((page) => (
        <Page key={page.after ?? ''} search={search || null} page={page} />
      ))}
    </div>
  );
}

function Page({ search, page }: { readonly search: string | null; readonly page: PageOf }) {
  const scoped = useScoped();
  const [result] = useQuery({ query: SubjectsDocument, variables: { search, after: page.after } });
  return (
    <Shown of={result}>
      {({ schemaSubjects: { nodes, pageInfo, totalCount } }) =>
        nodes.length === 0 ? (
          <Empty title={search ? 'No subject has that in its name.' : 'You see no schemas.'}>
            Whoever produces to a topic registers what its records look like, version by version.
          </Empty>
        ) : (
          <section className="card" aria-label="Subjects">
            {page.after === null && <p className="quiet small">{plural(totalCount, 'subject')}</p>}
            <Scroll label="Subjects">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Subject</th>
                    <th scope="col" className="number">
                      Versions
                    </th>
                    <th scope="col">Compatibility</th>
                    <th scope="col">Latest</th>
                  </tr>
                </thead>
                <tbody>
                  {nodes.map(({ name, versionCount, compatibility, latestVersion }) => (
                    <tr key={name}>
                      <td>
                        <Link href={scoped(`/schemas/${encodeURIComponent(name)}`)}>{name}</Link>
                      </td>
                      <td className="number">{count(versionCount)}</td>
                      <td className="quiet">{COMPATIBILITY[compatibility]}</td>
                      <td className="quiet">
                        version {latestVersion.version}, <Ago at={latestVersion.timestamp} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
            <More page={page} info={pageInfo} />
          </section>
        )
      }
    </Shown>
  );
}
