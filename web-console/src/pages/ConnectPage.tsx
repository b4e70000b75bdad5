import { IconPlus } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { asApiError } from '../api/error';
import { useConnectInfo, useConsumers, useOnboarding, useStreams, useUsers } from '../api/queries';
import type { Onboarding } from '../api/types';
import { fromNow } from '../lib/format';
import { type Act, contextCommand, exampleSubject, LANGUAGES, type Language, snippet, type SnippetInput } from '../lib/snippets';
import { useNow } from '../lib/use-now';
import { ButtonLink } from '../ui/Button';
import { Code, TabList } from '../ui/Code';
import { Command, CopyButton } from '../ui/Copy';
import { ErrorPanel } from '../ui/ErrorPanel';
import { Field, Views } from '../ui/Field';
import { PageHead, Section } from '../ui/Page';
import { StateMark } from '../ui/StateMark';
import { Loading } from '../ui/states';

/** Turns by itself once a client of the account connects, publishes, keeps. */
function FirstConnection({ state }: { state: Onboarding | undefined }) {
  const now = useNow(2_000);
  if (!state) return null;
  const { connected, published } = state;
  const client = [connected.client_lang ? `nats.${connected.client_lang}` : null, connected.client_version].filter(Boolean).join(' ');
  return (
    <ul className="waits" aria-live="polite">
      <li>
        <StateMark state={connected.done ? 'steady' : 'work'} size={14} />
        <div>
          {connected.done ? 'Connected' : 'Waiting for the first connection'}
          <div className="tiny ink3">
            {connected.done
              ? [connected.user_name ? `as ${connected.user_name}` : null, connected.ip ? `from ${connected.ip}` : null, client || null, connected.at ? fromNow(connected.at, now) : null].filter(Boolean).join(', ')
              : 'Usual causes of a refusal: another account’s file, an ended credential, the wrong port.'}
          </div>
        </div>
      </li>
      <li>
        <StateMark state={published.done ? 'steady' : connected.done ? 'work' : 'stale'} size={14} />
        <div>
          {published.done ? 'A stream has kept a message' : 'Waiting for the first message a stream keeps'}
          {published.at ? <div className="tiny ink3">{fromNow(published.at, now)}</div> : null}
        </div>
      </li>
    </ul>
  );
}

function Select({ label, value, options, none, onChange }: { label: string; value: string; options: readonly string[]; none: string; onChange: (value: string) => void }) {
  return (
    <Field label={label}>
      {(id) => (
        <span className="input mono">
          <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
            <option value="">{none}</option>
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        </span>
      )}
    </Field>
  );
}

export function ConnectPage() {
  const { account } = useParams({ from: '/accounts/$account/connect' });
  const id = useId();
  const info = useConnectInfo(account);
  const users = useUsers(account);
  const streams = useStreams(account);
  const onboarding = useOnboarding(account, true);
  const [userName, setUserName] = useState<string | null>(null);
  const [streamName, setStreamName] = useState<string | null>(null);
  const [consumerName, setConsumerName] = useState<string | null>(null);
  const [language, setLanguage] = useState<Language>('CLI');
  const [act, setAct] = useState<Act>('publish');

  const active = useMemo(
    () => [...(users.data?.data ?? [])].filter((user) => user.state === 'active').sort((a, b) => (b.last_issued_at ?? '').localeCompare(a.last_issued_at ?? '')),
    [users.data],
  );
  const user = userName ?? active[0]?.name ?? '';
  const streamList = streams.data?.data ?? [];
  const stream = streamName ?? '';
  const chosen = streamList.find((entry) => entry.name === stream);

  if (info.isPending) return <Loading what="the addresses of your account" rows={3} />;
  if (!info.data) return <ErrorPanel page what="The addresses could not be read" error={asApiError(info.error)} onRetry={() => void info.refetch()} />;
  const url = info.data.client_urls[0] ?? '';

  return (
    <>
      <PageHead
        tab="Connect"
        title="Connect"
        facts={<span>Any NATS client, any language. The snippets have your real address, user and stream.</span>}
        actions={
          <ButtonLink look="primary" to="/accounts/$account/credentials" params={{ account }} search={{ create: true }}>
            <IconPlus size={15} stroke={1.8} aria-hidden="true" />
            Create credential
          </ButtonLink>
        }
      />
      <div className="connect-grid">
        <div>
          <div className="triple">
            <Select label="As user" value={user} none="no user yet" options={active.map((entry) => entry.name)} onChange={setUserName} />
            <Select label="Stream" value={stream} none="none: plain messages" options={streamList.map((entry) => entry.name)} onChange={(value) => { setStreamName(value); setConsumerName(null); }} />
            <ConsumerSelect account={account} stream={stream} value={consumerName ?? ''} onChange={setConsumerName} />
          </div>
          <TabList id={id} label="Language" names={LANGUAGES} chosen={language} onChoose={(name) => setLanguage(name as Language)} />
          <SnippetPanel
            id={id}
            language={language}
            act={act}
            onAct={setAct}
            input={{
              url,
              creds: `${(user || 'first-app').replace(/[^A-Za-z0-9_.-]+/g, '-')}.creds`,
              user: (user || 'first-app').replace(/[^A-Za-z0-9_-]+/g, '-'),
              stream: chosen?.name ?? null,
              consumer: chosen ? consumerName || null : null,
              subject: exampleSubject(chosen?.subjects[0]),
            }}
          />
        </div>
        <div>
          <Section title="First connection" first>
            <FirstConnection state={onboarding.data} />
          </Section>
          <Section title="Addresses">
            <div className="stack">
              {info.data.client_urls.length ? <div className="label">Clients</div> : null}
              {info.data.client_urls.map((address) => (
                <Command key={address} what="client address">
                  {address}
                </Command>
              ))}
              {info.data.websocket_urls.length ? <div className="label">WebSocket</div> : null}
              {info.data.websocket_urls.map((address) => (
                <Command key={address} what="WebSocket address">
                  {address}
                </Command>
              ))}
              <p className="tiny ink3">
                {info.data.tls_required ? 'TLS is required.' : 'Plain TCP: this is a local or development broker.'}
                {info.data.server_version ? ` Broker ${info.data.server_version}.` : ''}
              </p>
              {info.data.account_public_key ? (
                <>
                  <div className="label">Account public key</div>
                  <Command what="account public key">{info.data.account_public_key}</Command>
                </>
              ) : null}
            </div>
          </Section>
        </div>
      </div>
    </>
  );
}

function ConsumerSelect({ account, stream, value, onChange }: { account: string; stream: string; value: string; onChange: (value: string) => void }) {
  if (!stream) {
    return (
      <Field label="Consumer">
        {(id) => (
          <span className="input mono locked">
            <input id={id} readOnly value="choose a stream first" />
          </span>
        )}
      </Field>
    );
  }
  return <ConsumersOf account={account} stream={stream} value={value} onChange={onChange} />;
}

function ConsumersOf({ account, stream, value, onChange }: { account: string; stream: string; value: string; onChange: (value: string) => void }) {
  const consumers = useConsumers(account, stream);
  return <Select label="Consumer" value={value} none="a new one: worker" options={(consumers.data ?? []).filter((entry) => entry.type === 'pull').map((entry) => entry.name)} onChange={onChange} />;
}

interface PanelProps {
  id: string;
  language: Language;
  act: Act;
  onAct: (act: Act) => void;
  input: SnippetInput;
}

function SnippetPanel({ id, language, act, onAct, input }: PanelProps) {
  const shown = snippet(language, act, input);
  return (
    <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${language}`}>
      <div className="toolbar" style={{ margin: '10px 0' }}>
        <Views
          label="What the snippet does"
          value={act}
          onChange={onAct}
          options={[
            { value: 'publish', label: 'Publish' },
            { value: 'consume', label: 'Consume' },
            { value: 'request', label: 'Request' },
          ]}
        />
        <span className="mono ink2 small from-desk cut">{shown.install}</span>
        <span className="to-end">
          <CopyButton text={shown.text} what="snippet">
            Copy
          </CopyButton>
        </span>
      </div>
      <Code text={shown.text} language={shown.language} label={`${language}, ${act}`} numbered={language !== 'CLI'} />
      {language === 'CLI' ? null : (
        <p className="tiny ink3" style={{ marginTop: 8 }}>
          Put <span className="mono">{input.creds}</span> beside the program. To try without code: <span className="mono">{contextCommand(input).split(' ').slice(0, 3).join(' ')}</span> … is in the CLI tab.
        </p>
      )}
    </div>
  );
}
