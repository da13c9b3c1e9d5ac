// Where rejected rows go: of datamodels and subscriptions alike.
import { CheckField, TextField } from '../ui/inputs';
import type { FormState } from '../ui/Form';
import { ConnectorSelect } from './ConnectorSelect';

export interface ErrorTable {
  readonly errorTableEnabled: boolean;
  readonly errorTableName: string;
  readonly errorTableTargetId: string;
}

interface Stored {
  readonly errorTableEnabled: boolean;
  readonly errorTableName: string | null;
  readonly errorTableTargetId: string | null;
}

export const errorTableOf = (row: Stored | null): ErrorTable => ({
  errorTableEnabled: row?.errorTableEnabled ?? false,
  errorTableName: row?.errorTableName ?? '',
  errorTableTargetId: row?.errorTableTargetId ?? '',
});

interface Props<Values extends ErrorTable> {
  readonly form: FormState<Values>;
  readonly envId: string | null | undefined;
  readonly before: string | null | undefined;
}

export function ErrorTableFields<Values extends ErrorTable>({ form: whole, envId, before }: Props<Values>) {
  const form = whole as unknown as FormState<ErrorTable>;
  return (
    <fieldset className="card stack">
      <legend>Rejected rows</legend>
      <CheckField label="Keep them in an error table" {...form.field('errorTableEnabled')} />
      {form.values.errorTableEnabled && (
        <>
          <TextField label="Error table" placeholder="orders_errors" {...form.field('errorTableName')} />
          <ConnectorSelect
            label="In the target"
            way="TARGET"
            envId={envId}
            none="the delivery’s own"
            before={before}
            {...form.field('errorTableTargetId')}
          />
        </>
      )}
    </fieldset>
  );
}
