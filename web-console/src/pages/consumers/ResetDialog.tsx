import { useState } from 'react';
import { api, newIdempotencyKey } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import type { Consumer, Stream } from '../../api/types';
import { sequenceProblem } from '../../lib/amount';
import { count } from '../../lib/format';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { PlainField } from '../../ui/FormFields';
import { noteDone } from '../../ui/done-notes';

/** Moves a consumer to another sequence; what lies between is delivered again, or skipped. */
export function ResetDialog({ account, consumer, stream, opened, onClose }: { account: string; consumer: Consumer; stream: Stream; opened: boolean; onClose: () => void }) {
  const refresh = useRefresh();
  const [seq, setSeq] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const wrong = sequenceProblem(seq);
  const next = seq && !wrong ? BigInt(seq) : null;
  const floor = BigInt(consumer.ack_floor.stream_seq) + 1n;
  const close = () => {
    setError(null);
    onClose();
  };
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.POST('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}/actions/reset', {
        params: { path: { account, stream: stream.name, consumer: consumer.name }, header: { 'Idempotency-Key': newIdempotencyKey() } },
        body: seq ? { seq: seq.trim() } : {},
      });
      await refresh('consumer', 'consumers');
      noteDone(`Consumer ${consumer.name} goes on at ${count(next ?? floor)}.`);
      setSeq('');
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={
        <>
          Move position of <span className="mono break">{consumer.name}</span>
        </>
      }
      lead={`Kept now: ${count(stream.state.first_seq)} to ${count(stream.state.last_seq)}. Clients stay connected.`}
      foot={
        <>
          <Button look="primary" blocked={busy ? 'The call is under way.' : (wrong ?? null)} onClick={run}>
            Move position
          </Button>
          <Button look="ghost" onClick={close}>
            Cancel
          </Button>
        </>
      }
    >
      <PlainField label="Next sequence" mono optional value={seq} onChange={setSeq} error={wrong} placeholder={floor.toString()} help="Empty starts at the first one that is not acknowledged." />
      {next === null || next === floor ? null : (
        <p className="small ink2">
          {next < floor ? `${count(floor - next)} sequences that were acknowledged come again.` : `${count(next - floor)} sequences are skipped and not delivered to it.`}
        </p>
      )}
      {error ? <ErrorLine error={asApiError(error)} /> : null}
    </Dialog>
  );
}
