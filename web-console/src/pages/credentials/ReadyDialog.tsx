import { IconDownload, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnectInfo, useUserIssuances } from '../../api/queries';
import type { SigningKeyGroup } from '../../api/types';
import { hiddenCreds, joinCommand, shownCreds } from '../../lib/creds';
import { dateTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { shell } from '../../lib/code-tabs';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { Command, CopyButton } from '../../ui/Copy';
import { Dialog } from '../../ui/Dialog';
import { SubjectList } from '../../ui/SubjectChip';
import { Note } from '../../ui/states';
import type { Issued } from './CreateDialog';

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function Lines({ text, shown }: { text: string; shown: boolean }) {
  const lines = shown ? shownCreds(text) : hiddenCreds(text);
  return lines.map((line, i) => (
    <span key={i} className={line.fence ? 'comment' : undefined}>
      {line.text}
      {'\n'}
    </span>
  ));
}

interface Props {
  issued: Issued;
  account: string;
  group: SigningKeyGroup | undefined;
  onDone: () => void;
}

/** Shown once. Closing waits for "I have stored it"; the text lives in this dialog's memory only. */
export function ReadyDialog({ issued, account, group, onDone }: Props) {
  const { zone } = usePrefs();
  const navigate = useNavigate();
  const now = useNow(2_000);
  const info = useConnectInfo(account);
  const issuances = useUserIssuances(issued.user.id, true);
  const [shown, setShown] = useState(false);
  const [stored, setStored] = useState(false);
  const [asked, setAsked] = useState(false);
  const own = issued.creds === null;
  const text = issued.creds ?? issued.jwt ?? '';
  const stem = issued.user.name.replace(/[^A-Za-z0-9_.-]+/g, '-');
  const file = `${stem}.${own ? 'jwt' : 'creds'}`;
  const context = issued.user.name.replace(/[^A-Za-z0-9_-]+/g, '-');
  const url = info.data?.client_urls[0] ?? 'nats://127.0.0.1:4222';
  const connected = issuances.data?.find((entry) => entry.id === issued.issuance.id)?.first_connected_at;
  const permissions = group?.template;

  const leave = (then?: () => void) => {
    if (!stored && !own) {
      setAsked(true);
      return;
    }
    onDone();
    then?.();
  };

  return (
    <Dialog
      opened
      onClose={() => leave()}
      easyToClose={false}
      closeLabel={stored || own ? 'Close' : 'Close, asks first'}
      title={
        <>
          Credential for <span className="mono break">{issued.user.name}</span> is ready
        </>
      }
      lead={
        own
          ? 'The JWT is no secret by itself: it works only together with the seed you keep.'
          : 'Download or copy it now. The seed is not kept here, so it is never shown again. If it gets lost, issue a new one and revoke this one.'
      }
      foot={
        <>
          {own ? null : (
            <label className="check">
              <input
                type="checkbox"
                checked={stored}
                onChange={(event) => {
                  setStored(event.target.checked);
                  setAsked(false);
                }}
              />
              I have stored it
            </label>
          )}
          {asked ? (
            <span className="error-line" role="alert">
              Tick “I have stored it” first: closing throws the seed away.
            </span>
          ) : null}
          <span className="line to-end">
            <Button
              blocked={stored || own ? null : 'Store the file first: the page that follows does not have it.'}
              onClick={() => leave(() => void navigate({ to: '/accounts/$account/connect', params: { account } }))}
            >
              Show code to connect
            </Button>
            <Button look="primary" blocked={stored || own ? null : 'Tick “I have stored it” first.'} onClick={() => leave()}>
              Done
            </Button>
          </span>
        </>
      }
    >
      <div className="creds-box">
        <div className="line wrap">
          <span className="mono bold break">{file}</span>
          <span className="line to-end">
            {own ? null : (
              <Button size="compact" onClick={() => setShown(!shown)}>
                {shown ? <IconEyeOff size={15} stroke={1.6} aria-hidden="true" /> : <IconEye size={15} stroke={1.6} aria-hidden="true" />}
                {shown ? 'Hide' : 'Show'}
              </Button>
            )}
            <CopyButton text={text} what={own ? 'JWT' : 'credential file'}>
              Copy
            </CopyButton>
            <Button size="compact" look="primary" data-autofocus onClick={() => download(file, text)}>
              <IconDownload size={15} stroke={1.6} aria-hidden="true" />
              Download
            </Button>
          </span>
        </div>
        <pre className="code" tabIndex={0} role="region" aria-label={own ? 'User JWT' : shown ? 'Credential file' : 'Credential file, seed hidden'}>
          <Lines text={text} shown={shown} />
        </pre>
      </div>
      {own ? (
        <div>
          <div className="label" style={{ marginBottom: 4 }}>
            Join it with your seed, beside both files; every client reads the result
          </div>
          <Command>{joinCommand(file, 'user.nk', `${stem}.creds`)}</Command>
        </div>
      ) : null}
      <div>
        <div className="label" style={{ marginBottom: 4 }}>
          Save it as a nats context
        </div>
        <Command>
          {`nats context save ${shell(context)} --server ${shell(url)} --creds ./${shell(`${stem}.creds`)} --select`}
        </Command>
      </div>
      <dl className="pairs">
        <dt>Group</dt>
        <dd className="mono">{issued.user.signing_key_group_name}</dd>
        {permissions ? (
          <>
            <dt>May publish</dt>
            <dd>{permissions.publish?.allow?.length ? <SubjectList subjects={permissions.publish.allow} most={4} /> : 'every subject of the account'}</dd>
            <dt>May subscribe</dt>
            <dd>{permissions.subscribe?.allow?.length ? <SubjectList subjects={permissions.subscribe.allow} most={4} /> : 'every subject of the account'}</dd>
          </>
        ) : null}
        <dt>Ends</dt>
        <dd>{issued.issuance.expires_at ? `${dateTime(issued.issuance.expires_at, zone)}, ${fromNow(issued.issuance.expires_at, now)}` : 'never'}</dd>
      </dl>
      {connected ? (
        <Note tone="steady" role="status" title={`Connected ${dateTime(connected, zone)}`}>
          A client uses this credential.
        </Note>
      ) : (
        <Note tone="info" title="Waiting for its first connection">
          Keep this open, or close it: the list shows the same.
        </Note>
      )}
    </Dialog>
  );
}
