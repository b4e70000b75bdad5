import { IconChevronDown, IconChevronUp, IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { Message } from '../../api/types';
import { bytes, count, exactTime } from '../../lib/format';
import { bestView, hexDump, payloadBytes, payloadJson, payloadText, type PayloadView } from '../../lib/payload';
import { usePrefs } from '../../lib/prefs';
import { useDenied } from '../../frame/permissions';
import { Button } from '../../ui/Button';
import { Code } from '../../ui/Code';
import { CopyButton } from '../../ui/Copy';
import { DangerDialog } from '../../ui/DangerDialog';
import { Views } from '../../ui/Field';
import { SubjectChip } from '../../ui/SubjectChip';
import { noteDone } from '../../ui/done-notes';

function saveAs(name: string, data: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([data as BlobPart], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

interface Props {
  account: string;
  stream: string;
  message: Message;
  onNewer: (() => void) | null;
  onOlder: (() => void) | null;
  denyDelete: boolean;
}

/** One message: where it stands, its headers, its payload in the form that shows most of it. */
export function MessageViewer({ account, stream, message, onNewer, onOlder, denyDelete }: Props) {
  const { zone } = usePrefs();
  const refresh = useRefresh();
  const no = useDenied('streams:write');
  const [asked, setAsked] = useState<PayloadView | null>(null);
  const [deleting, setDeleting] = useState(false);
  const json = payloadJson(message.payload);
  const view = asked && (asked !== 'JSON' || json !== null) ? asked : bestView(message.payload);
  const text = view === 'JSON' ? (json ?? '') : view === 'Text' ? payloadText(message.payload) : hexDump(payloadBytes(message.payload));
  const headers = Object.entries(message.headers);

  return (
    <div className="viewer-inner" aria-label={`Message ${message.seq}`} role="region">
      <div className="viewer-bar">
        <b className="mono">{count(message.seq)}</b>
        <Button look="ghost" size="compact" square aria-label="Newer message" blocked={onNewer ? null : 'This is the newest shown.'} onClick={() => onNewer?.()}>
          <IconChevronUp size={15} stroke={1.6} aria-hidden="true" />
        </Button>
        <Button look="ghost" size="compact" square aria-label="Older message" blocked={onOlder ? null : 'This is the oldest shown.'} onClick={() => onOlder?.()}>
          <IconChevronDown size={15} stroke={1.6} aria-hidden="true" />
        </Button>
        <span className="line to-end wrap">
          <CopyButton text={text} what="payload">
            Copy
          </CopyButton>
          <Button size="compact" square aria-label="Download payload" onClick={() => saveAs(`${stream}-${message.seq}`, payloadBytes(message.payload))}>
            <IconDownload size={15} stroke={1.6} aria-hidden="true" />
          </Button>
          <Button
            size="compact"
            square
            look="danger"
            aria-label="Delete message"
            blocked={no ?? (denyDelete ? 'This stream forbids deleting single messages.' : null)}
            onClick={() => setDeleting(true)}
          >
            <IconTrash size={15} stroke={1.6} aria-hidden="true" />
          </Button>
        </span>
      </div>
      <div className="viewer-body stack">
        <dl className="pairs">
          <dt>Subject</dt>
          <dd>
            <SubjectChip subject={message.subject} />
          </dd>
          <dt>Stored</dt>
          <dd>{exactTime(message.time, zone)}</dd>
          <dt>Size</dt>
          <dd>
            {bytes(message.size)}, {headers.length === 0 ? 'no headers' : `${headers.length} ${headers.length === 1 ? 'header' : 'headers'}`}
          </dd>
        </dl>
        {headers.length ? (
          <div>
            <div className="label" style={{ marginBottom: 4 }}>
              Headers
            </div>
            <dl className="pairs mono">
              {headers.map(([name, values]) => (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{name}</dt>
                  <dd>{values.join(', ')}</dd>
                </div>
              ))}
            </dl>
          </div>
        ) : null}
        <div className="line wrap">
          <Views
            label="Payload as"
            value={view}
            onChange={setAsked}
            options={[...(json === null ? [] : [{ value: 'JSON' as const, label: 'JSON' }]), { value: 'Text', label: 'Text' }, { value: 'Hex', label: 'Hex' }]}
          />
          {message.payload.truncated ? <span className="tiny ink3">cut after {bytes(payloadBytes(message.payload).length)}; the whole is {bytes(message.size)}</span> : null}
        </div>
        <Code text={text === '' ? '(empty)' : text} language={view === 'JSON' ? 'json' : 'text'} label={`Payload as ${view}`} />
      </div>
      <DangerDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        act="Delete message"
        name={message.seq}
        impact={[{ what: 'Message', figure: bytes(message.size), more: message.subject }]}
        consequence="Consumers that have not had it yet will not get it. There is no undo."
        onConfirm={async () => {
          await api.DELETE('/v1/accounts/{account}/streams/{stream}/messages/{seq}', {
            params: { path: { account, stream, seq: message.seq } },
          });
          await refresh('messages', 'stream', 'streams');
          noteDone(`Message ${message.seq} deleted.`);
        }}
      />
    </div>
  );
}
