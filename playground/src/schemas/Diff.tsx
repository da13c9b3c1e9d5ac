// How two versions differ, line by line; what came and what went is said by its sign as well as by colour.
import { useQuery } from 'urql';
import { DiffDocument } from '../client/generated';
import { Scroll } from '../ui/parts';
import { Shown } from '../ui/Shown';

interface Props {
  readonly subject: string;
  readonly from: number;
  readonly to: number;
}

const KINDS: Readonly<Record<string, string>> = { '+': 'came', '-': 'went', '@': 'place' };

export function Diff(variables: Props) {
  const [result] = useQuery({ query: DiffDocument, variables: { ...variables } });
  return (
    <Shown of={result}>
      {({ schemaDiff }) => {
        if (!schemaDiff || schemaDiff.identical) return <p className="quiet">Nothing.</p>;
        const lines = schemaDiff.unified.split('\n').filter((line) => line && !/^(---|\+\+\+) /.test(line));
        return (
          <Scroll label="Difference">
            <pre className="diff">
              {lines.map((line, index) => (
                <span key={index} className={KINDS[line.charAt(0)]}>
                  {line}
                  {'\n'}
                </span>
              ))}
            </pre>
          </Scroll>
        );
      }}
    </Shown>
  );
}
