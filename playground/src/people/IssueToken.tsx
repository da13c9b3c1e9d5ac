// A token for a service account: named and bounded before it is issued, shown once after.
import { useState } from 'react';
import { IssueTokenDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Form, useForm } from '../ui/Form';
import { SelectField, TextField, type Option } from '../ui/inputs';
import { Button } from '../ui/parts';
import { say } from '../ui/toasts';

const DAY = 86_400;
const LIFETIMES: readonly Option[] = [1, 7, 30, 90, 365].map((days) => [String(days * DAY), days === 1 ? '1 day' : `${days} days`]);

interface Props {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

export function IssueToken({ id, name, onClose }: Props) {
  const [issue] = useMutate(IssueTokenDocument);
  const [token, setToken] = useState<string | null>(null);
  const form = useForm({ name: '', lifetime: String(30 * DAY) });
  return (
    <Dialog title={`A token for ${name}`} onClose={onClose}>
      {token ? (
        <>
          <p>It is shown this once. Whoever has it may do what {name} may, until it ends or is revoked.</p>
          <textarea readOnly aria-label="Token" rows={6} value={token} onFocus={(event) => event.target.select()} />
          <div className="actions">
            <Button onClick={() => navigator.clipboard.writeText(token).then(() => say('Copied.'))}>Copy</Button>
            <Button kind="primary" onClick={onClose}>
              Close
            </Button>
          </div>
        </>
      ) : (
        <Form
          form={form}
          label="Token"
          submit="Issue the token"
          onClose={onClose}
          onSubmit={async (values) => {
            const { data, errors } = await issue({
              input: { serviceAccountId: id, name: values.name || null, lifetime: Number(values.lifetime) },
            });
            if (errors) return errors;
            setToken(data.issueServiceAccountToken.accessToken);
          }}
        >
          <TextField
            label="Name"
            hint="What uses it, so that it can be revoked by name."
            placeholder="nightly deploy"
            {...form.field('name')}
          />
          <SelectField label="It ends after" options={LIFETIMES} {...form.field('lifetime')} />
        </Form>
      )}
    </Dialog>
  );
}
