import { useState } from 'react';
import { api, newIdempotencyKey } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import type { Consumer } from '../../api/types';
import { shell } from '../../lib/code-tabs';
import { dateTime } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { Command } from '../../ui/Copy';
import { Dialog } from '../../ui/Dialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Choice } from '../../ui/Field';
import { PlainField } from '../../ui/FormFields';
import { noteDone } from '../../ui/done-notes';

const SPANS = { '10m': 600_000, '1h': 3_600_000, '24h': 86_400_000 } as const;
type Span = keyof typeof SPANS | 'until';

/** The moment a choice stands for; null while the typed time is none. */
export function pauseEnd(span: Span, typed: string, now: number): string | null {
  if (span !== 'until') return new Date(now + SPANS[span]).toISOString();
  const at = Date.parse(typed);
  return Number.isNaN(at) || at <= now ? null : new Date(at).toISOString();
}

export async function resume(account: string, consumer: Consumer): Promise<void> {
  await api.POST('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}/actions/resume', {
    params: { path: { account, stream: consumer.stream_name, consumer: consumer.name }, header: { 'Idempotency-Key': newIdempotencyKey() } },
  });
}

async function pause(account: string, consumer: Consumer, until: string): Promise<void> {
  await api.POST('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}/actions/pause', {
    params: { path: { account, stream: consumer.stream_name, consumer: consumer.name }, header: { 'Idempotency-Key': newIdempotencyKey() } },
    body: { pause_until: until },
  });
}

export function PauseDialog({ account, consumer, opened, onClose }: { account: string; consumer: Consumer; opened: boolean; onClose: () => void }) {
  const { zone } = usePrefs();
  const now = useNow(1_000);
  const refresh = useRefresh();
  const [span, setSpan] = useState<Span>('1h');
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const until = pauseEnd(span, typed, now);
  const wrong = until === null && typed !== '' ? `${typed} is not a time to come; write it like 2026-11-30T18:00:00Z.` : null;

  const close = () => {
    setError(null);
    onClose();
  };
  const run = async () => {
    const end = pauseEnd(span, typed, Date.now());
    if (!end || busy) return;
    setBusy(true);
    setError(null);
    try {
      await pause(account, consumer, end);
      await refresh('consumer', 'consumers');
      noteDone(`Consumer ${consumer.name} paused until ${dateTime(end, zone)}.`, async () => {
        await resume(account, consumer);
        await refresh('consumer', 'consumers');
      });
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
          Pause consumer <span className="mono break">{consumer.name}</span>
        </>
      }
      lead="Clients stay connected and get nothing. The stream goes on filling; nothing is lost but by its limits."
      foot={
        <>
          <Button look="primary" blocked={busy ? 'The call is under way.' : until === null ? 'Say until when.' : null} onClick={run}>
            Pause consumer
          </Button>
          <Button look="ghost" onClick={close}>
            Cancel
          </Button>
        </>
      }
    >
      <Choice
        label="For"
        short
        value={span}
        onChange={setSpan}
        options={[
          { value: '10m', label: '10 min' },
          { value: '1h', label: '1 h' },
          { value: '24h', label: '24 h' },
          { value: 'until', label: 'Until' },
        ]}
      />
      {span === 'until' ? (
        <PlainField label="Time" mono value={typed} onChange={setTyped} error={wrong} placeholder="2026-11-30T18:00:00Z" help="With a zone: Z is UTC." />
      ) : null}
      {until ? <p className="small ink2">It goes on by itself at {dateTime(until, zone)}, or when you resume it.</p> : null}
      <Command>{`nats consumer pause ${shell(consumer.stream_name)} ${shell(consumer.name)} ${until && span === 'until' ? shell(until.slice(0, 19).replace('T', ' ')) : span} --force`}</Command>
      {error ? <ErrorLine error={asApiError(error)} /> : null}
    </Dialog>
  );
}
