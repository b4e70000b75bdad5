import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { shell } from '../../lib/code-tabs';
import { keyProblem, valueProblem } from '../../lib/kv';
import { useCall } from '../../lib/use-call';
import { Command } from '../../ui/Copy';
import { FormDialog } from '../../ui/FormDialog';
import { LinesField, PlainField } from '../../ui/FormFields';
import { noteDone } from '../../ui/done-notes';

interface Props {
  account: string;
  bucket: string;
  taken: readonly string[];
  onClose: () => void;
  onDone: (key: string) => void;
}

/** A key that has no value yet; one that has is edited instead, so that nothing is overwritten unseen. */
export function NewEntryDialog({ account, bucket, taken, onClose, onDone }: Props) {
  const refresh = useRefresh();
  const call = useCall();
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const wrong = keyProblem(key) ?? (taken.includes(key) ? `${key} has a value already. Choose it in the list to change it.` : null);
  const tooLarge = valueProblem(value);
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={
        <>
          Put key in <span className="mono">{bucket}</span>
        </>
      }
      act="Put key"
      blocked={wrong ?? tooLarge}
      call={call}
      onSubmit={async () => {
        const done = await call.run(async () => {
          await api.PUT('/v1/accounts/{account}/kv/{bucket}/entries/{key}', { params: { path: { account, bucket, key } }, body: { value, encoding: 'utf8', create_only: true } });
          await refresh('kv-keys', 'kv-bucket', 'kv', 'kv-entry');
        });
        if (!done) return;
        noteDone(`Key ${key} written.`);
        onDone(key);
        onClose();
      }}
    >
      <PlainField label="Key" mono value={key} onChange={setKey} error={key ? wrong : null} placeholder="limits.daily" help="Dots make a tree." autoFocus />
      <LinesField required label="Value" value={value} onChange={setValue} error={tooLarge} rows={5} help="Text or JSON." />
      <Command>{`nats kv create ${shell(bucket)} ${shell(key || 'KEY')} ${shell(value || 'VALUE')}`}</Command>
    </FormDialog>
  );
}
