// While the server does not answer, what is shown is what was known last: it says so itself, for the eye that is on it.
import { clock } from '../ui/format';

export function Offline({ since }: { readonly since: number | null }) {
  if (since === null) return null;
  return (
    <p className="notice waiting offline" role="status">
      As it was at {clock(since)}: the server does not answer. Nothing can be changed until it is back.
    </p>
  );
}
