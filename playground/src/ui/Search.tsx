// Narrows a list by name; what is searched for stands in the address.
import { useSearchParams } from 'wouter';

interface Props {
  readonly label: string;
  readonly onChange?: () => void;
}

export function Search({ label, onChange }: Props) {
  const [params] = useSearchParams();
  const narrow = useNarrow();
  return (
    <input
      className="search"
      type="search"
      aria-label={label}
      placeholder="Search by name"
      value={params.get('search') ?? ''}
      onChange={(event) => {
        onChange?.();
        narrow('search', event.target.value);
      }}
    />
  );
}

/** Sets one word of the address, or takes it away, without a step in the history. */
export function useNarrow() {
  const [, setParams] = useSearchParams();
  return (key: string, value: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(key, value);
        else after.delete(key);
        return after;
      },
      { replace: true },
    );
}
