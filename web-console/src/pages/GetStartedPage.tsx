import { IconPlus, IconStack2 } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, newIdempotencyKey } from '../api/client';
import { type ApiError, asApiError } from '../api/error';
import { useConnectInfo, useOnboarding, useRefresh, useStreams, useUsers } from '../api/queries';
import type { Onboarding } from '../api/types';
import { clock, dateTime, span } from '../lib/format';
import { nextStep, type Step, STEPS, stepsDone } from '../lib/onboarding';
import { usePrefs } from '../lib/prefs';
import { contextCommand, exampleSubject } from '../lib/snippets';
import { briefConfig, EMPTY_STREAM } from '../lib/stream-model';
import { streamAddCommand } from '../lib/code-tabs';
import { useNow } from '../lib/use-now';
import { Button, ButtonLink } from '../ui/Button';
import { Command } from '../ui/Copy';
import { ErrorLine, ErrorPanel } from '../ui/ErrorPanel';
import { PageHead } from '../ui/Page';
import { StateMark } from '../ui/StateMark';
import { Loading } from '../ui/states';
import { noteDone } from '../ui/done-notes';

const WORDS = ['None', 'One', 'Two', 'Three', 'Four'];
const TITLE: Record<Step, string> = {
  credential_created: 'Credential',
  connected: 'Connect',
  stream_created: 'Create a stream',
  published: 'First message kept',
};
const HELLO = { ...EMPTY_STREAM, name: 'HELLO', subjects: ['hello.>'] };

function Node({ state }: { state: 'done' | 'now' | 'later' }) {
  if (state === 'done') {
    return (
      <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
        <circle cx="14" cy="14" r="12" fill="var(--steady)" />
        <path d="m8.5 14.4 3.8 3.8 7.4-8" stroke="var(--sheet)" strokeWidth="2.4" fill="none" />
      </svg>
    );
  }
  const now = state === 'now';
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
      <circle cx="14" cy="14" r="11.5" fill="var(--sheet)" stroke={now ? 'var(--ink)' : 'var(--wall)'} strokeWidth="2" />
      <path d="M8 8.6v10.8L20 8.6v10.8Z" fill={now ? 'var(--water-level)' : 'none'} stroke={now ? 'var(--ink)' : 'var(--wall)'} strokeWidth="1.6" strokeLinejoin="round" />
    </svg>
  );
}

/** What has happened so far, newest first, as the control plane saw it. */
function LivePanel({ state }: { state: Onboarding }) {
  const { zone } = usePrefs();
  const { connected } = state;
  const client = [connected.client_lang, connected.client_version].filter(Boolean).join(' ');
  const events = [
    { at: state.published.at, text: 'First message kept', done: state.published.done },
    { at: state.stream_created.at, text: 'A stream keeps messages', done: state.stream_created.done },
    {
      at: connected.at,
      text: `${connected.user_name ?? 'A client'} connected${connected.ip ? ` from ${connected.ip}` : ''}${client ? ` with nats.${client}` : ''}`,
      done: connected.done,
    },
    { at: state.credential_created.at, text: 'Credential created', done: state.credential_created.done },
  ].filter((event) => event.done);
  const flowing = connected.done;
  return (
    <section className="live-panel" aria-label="What has happened">
      <header>
        <b>Live</b>
        <StateMark state={events.length === STEPS.length ? 'steady' : 'work'} size={10} className="to-end">
          {events.length === STEPS.length ? 'all seen' : 'listening'}
        </StateMark>
      </header>
      <div>
        <svg className="pipes" width="56" height="100%" viewBox="0 0 56 220" preserveAspectRatio="none" aria-hidden="true">
          <path className="wall" d="M28 0V220" strokeWidth="24" />
          <path className={flowing ? 'full' : 'dry'} d="M28 0V220" strokeWidth="20" />
          {flowing ? <path className="flowing" d="M28 0V220" /> : null}
        </svg>
        <div className="events" aria-live="polite">
          {events.length === 0 ? <p className="ink2">Nothing yet. Each step shows up here within two seconds of your client doing it.</p> : null}
          <dl className="pairs" style={{ gridTemplateColumns: '96px minmax(0, 1fr)' }}>
            {events.map((event) => (
              <div key={event.text} style={{ display: 'contents' }}>
                <dt>{event.at ? clock(event.at, zone) : '–'}</dt>
                <dd>{event.text}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </section>
  );
}

export function GetStartedPage() {
  const { account } = useParams({ from: '/accounts/$account/get-started' });
  const navigate = useNavigate();
  const refresh = useRefresh();
  const query = useOnboarding(account, true);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const done = query.data ? stepsDone(query.data) : 0;

  // The counts in the nav follow the checklist, not the slower refresh of the account.
  useEffect(() => {
    void refresh('account');
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [done]);

  if (query.isPending) return <Loading what="the checklist" rows={4} />;
  if (!query.data) return <ErrorPanel page what="The checklist could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  const state = query.data;
  const next = nextStep(state);

  const hide = async () => {
    setFailure(null);
    try {
      await api.POST('/v1/accounts/{account}/onboarding/dismiss', { params: { path: { account } } });
      await refresh('onboarding');
      await navigate({ to: '/accounts/$account', params: { account } });
    } catch (error) {
      setFailure(asApiError(error));
    }
  };

  return (
    <>
      <PageHead
        tab="Get started"
        title="Get started"
        facts={
          <span>
            {next === null ? 'All four done. The account is yours to use.' : `${WORDS[done] ?? done} of four done. Steps turn green by themselves as your client does them.`}
          </span>
        }
        actions={
          state.dismissed ? null : (
            <Button look="ghost" onClick={hide}>
              Hide this list
            </Button>
          )
        }
      />
      {failure ? <ErrorLine error={failure} /> : null}
      <div className="start-grid">
        <ol className="steps">
          {STEPS.map((step) => {
            const look = state[step].done ? 'done' : step === next ? 'now' : 'later';
            return (
              <li key={step} className={look}>
                <div className="node">
                  <Node state={look} />
                </div>
                <div className="step">
                  <h2>
                    {TITLE[step]}
                    <span className="vh">{look === 'done' ? ', done' : look === 'now' ? ', next' : ''}</span>
                  </h2>
                  <StepBody step={step} state={state} account={account} next={next} />
                </div>
              </li>
            );
          })}
        </ol>
        <aside>
          <LivePanel state={state} />
        </aside>
      </div>
    </>
  );
}

function StepBody({ step, state, account, next }: { step: Step; state: Onboarding; account: string; next: Step | null }) {
  const { zone } = usePrefs();
  const info = useConnectInfo(account);
  const users = useUsers(account);
  const newest = [...(users.data?.data ?? [])].filter((user) => user.state === 'active').sort((a, b) => (b.last_issued_at ?? '').localeCompare(a.last_issued_at ?? ''))[0];
  const name = (newest?.name ?? 'first-app').replace(/[^A-Za-z0-9_-]+/g, '-');
  const url = info.data?.client_urls[0] ?? '';

  switch (step) {
    case 'credential_created':
      return state.credential_created.done ? (
        <p className="ink2">
          {newest ? <span className="mono">{newest.name}</span> : 'A user'} has one{state.credential_created.at ? `, since ${dateTime(state.credential_created.at, zone)}` : ''}.
        </p>
      ) : (
        <div className="stack">
          <p className="ink2">A file your client signs in with. It is shown once and never stored here.</p>
          <div>
            <ButtonLink look="primary" to="/accounts/$account/credentials" params={{ account }} search={{ create: true }}>
              <IconPlus size={15} stroke={1.8} aria-hidden="true" />
              Create credential
            </ButtonLink>
          </div>
        </div>
      );
    case 'connected': {
      const { connected } = state;
      if (connected.done) {
        return (
          <p className="ink2">
            {[connected.user_name ? `As ${connected.user_name}` : 'A client', connected.ip ? `from ${connected.ip}` : null, connected.client_lang ? `with nats.${connected.client_lang} ${connected.client_version ?? ''}`.trim() : null].filter(Boolean).join(' ')}
            {connected.at ? `, ${dateTime(connected.at, zone)}` : ''}.
          </p>
        );
      }
      if (next !== 'connected') return <p className="ink2">With the CLI or any NATS client.</p>;
      return (
        <div className="stack">
          <p className="ink2">
            With the CLI as below, or from <Link to="/accounts/$account/connect" params={{ account }}>Java, JavaScript, Go or Python</Link>.
          </p>
          {url ? <Command>{contextCommand({ url, creds: `${name}.creds`, user: name, stream: null, consumer: null, subject: 'hello.world' })}</Command> : null}
          <Command>nats sub 'hello.&gt;'</Command>
          <Waiting what="your client’s first connection" />
        </div>
      );
    }
    case 'published':
      return <MessageStep account={account} at={state.published.at} done={state.published.done} now={next === 'published'} />;
    case 'stream_created':
      return <StreamStep account={account} done={state.stream_created.done} now={next === 'stream_created'} />;
  }
}

function MessageStep({ account, at, done, now }: { account: string; at: string | null; done: boolean; now: boolean }) {
  const { zone } = usePrefs();
  const streams = useStreams(account);
  const first = streams.data?.data[0];
  const publish = `nats pub ${exampleSubject(first?.subjects[0])} 'first water'`;
  if (done) {
    return (
      <div className="stack">
        <p className="ink2">Arrived{at ? ` ${dateTime(at, zone)}` : ''}. Send more whenever you like:</p>
        <Command>{publish}</Command>
      </div>
    );
  }
  if (!now) return <p className="ink2">One line from a terminal.</p>;
  return (
    <div className="stack">
      <Command>{publish}</Command>
      <Waiting what="the first message" />
    </div>
  );
}

function Waiting({ what }: { what: string }) {
  const [since] = useState(() => Date.now());
  const now = useNow();
  return (
    <StateMark state="work" size={14}>
      Waiting for {what}, {span(now - since)}
    </StateMark>
  );
}

function StreamStep({ account, done, now }: { account: string; done: boolean; now: boolean }) {
  const refresh = useRefresh();
  const streams = useStreams(account);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const first = streams.data?.data[0];
  if (done) {
    return (
      <p className="ink2">
        {first ? (
          <>
            <Link to="/accounts/$account/streams/$stream" params={{ account, stream: first.name }} className="mono">
              {first.name}
            </Link>{' '}
            keeps what is published on {first.subjects.join(', ')}.
          </>
        ) : (
          'A stream was created.'
        )}
      </p>
    );
  }
  const create = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await api.POST('/v1/accounts/{account}/streams', {
        params: { path: { account }, header: { 'Idempotency-Key': newIdempotencyKey() } },
        body: briefConfig(HELLO),
      });
      await refresh('streams', 'onboarding', 'account');
      noteDone('Stream HELLO created.');
    } catch (error) {
      setFailure(asApiError(error));
    } finally {
      setBusy(false);
    }
  };
  if (!now) return <p className="ink2">A stream holds messages for consumers that come later.</p>;
  return (
    <div className="stack">
      <p className="ink2">
        Nobody keeps what you publish on <span className="mono">hello.world</span> yet. A stream holds messages for consumers that come later.
      </p>
      <Command>{streamAddCommand(briefConfig(HELLO))}</Command>
      <div className="line wrap">
        <Button look="primary" blocked={busy ? 'HELLO is being created.' : null} onClick={create}>
          <IconStack2 size={15} stroke={1.6} aria-hidden="true" />
          Create HELLO for me
        </Button>
        <ButtonLink to="/accounts/$account/streams/~new" params={{ account }}>
          Create another stream
        </ButtonLink>
      </div>
      {failure ? <ErrorLine error={failure} /> : null}
    </div>
  );
}
