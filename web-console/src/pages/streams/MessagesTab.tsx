import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { asApiError } from '../../api/error';
import { MESSAGES_A_PAGE, type MessageWindow, useMessages } from '../../api/queries';
import type { Message, Stream } from '../../api/types';
import type { StreamSearch } from '../../router';
import { big, bytes, clock, count, dateTime } from '../../lib/format';
import { payloadText, preview } from '../../lib/payload';
import { usePrefs } from '../../lib/prefs';
import { subjectProblem } from '../../lib/subject';
import { Button } from '../../ui/Button';
import { Command } from '../../ui/Copy';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { Views } from '../../ui/Field';
import { StateMark } from '../../ui/StateMark';
import { SubjectChip } from '../../ui/SubjectChip';
import { Empty, Loading, NoMatch } from '../../ui/states';
import { useTableKeys } from '../../ui/use-table-keys';
import { MessageViewer } from './MessageViewer';

const seqOf = (message: Message) => message.seq;

interface Props {
  account: string;
  stream: Stream;
  search: StreamSearch;
}

/** Reads by sequence: no consumer is made and nothing is acknowledged, on work queues too. */
export function MessagesTab({ account, stream, search }: Props) {
  const navigate = useNavigate();
  const { zone, refreshSeconds } = usePrefs();
  const from = search.from ?? 'latest';
  const [seqText, setSeqText] = useState(search.seq ?? '');
  const [subjectText, setSubjectText] = useState(search.subject ?? '');
  const [chosen, setChosen] = useState<string | null>(null);
  const filter = useRef<HTMLInputElement>(null);
  const range: MessageWindow = useMemo(
    () => ({ from: from === 'sequence' && !search.seq ? 'first' : from, sequence: search.seq ?? '', subject: search.subject ?? '' }),
    [from, search.seq, search.subject],
  );
  const query = useMessages(account, stream.name, range, from === 'latest');
  const messages = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const viewer = useRef<HTMLDivElement>(null);
  const select = useCallback((message: Message) => setChosen(message.seq), []);
  // On a narrow window the viewer stands below the list.
  const show = (message: Message) => {
    select(message);
    if (window.matchMedia('(max-width: 860px)').matches) viewer.current?.scrollIntoView({ block: 'start' });
  };
  const active = useTableKeys({ rows: messages, id: seqOf, onOpen: select, onMove: select, copy: (message) => payloadText(message.payload), filter });
  const at = Math.max(0, messages.findIndex((message) => message.seq === chosen));
  const shown = messages[at];

  const go = (change: Partial<StreamSearch>) => {
    const next = { ...search, ...change };
    setChosen(null);
    void navigate({
      to: '/accounts/$account/streams/$stream',
      params: { account, stream: stream.name },
      search: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== '')),
      replace: true,
    });
  };
  const subjectWrong = subjectText ? subjectProblem(subjectText) : null;
  const empty = stream.state.messages === '0';

  if (empty && !query.isFetching && messages.length === 0) {
    const example = (stream.subjects[0] ?? 'orders.>').replace('>', 'new').replace(/\*/g, 'one');
    return (
      <Empty title="No message yet">
        <p className="ink2">What is published on {stream.subjects.join(', ') || 'its subjects'} shows up here.</p>
        <Command>{`nats pub ${example} '{"id":1}'`}</Command>
      </Empty>
    );
  }

  return (
    <>
      <div className="toolbar" style={{ marginTop: 12, marginBottom: 8 }}>
        <Views
          label="Start from"
          value={from}
          onChange={(value) => go({ from: value === 'latest' ? undefined : value, ...(value === 'sequence' ? { seq: search.seq ?? stream.state.first_seq } : { seq: undefined }) })}
          options={[
            { value: 'latest', label: 'Latest' },
            { value: 'first', label: 'First' },
            { value: 'sequence', label: 'Sequence' },
          ]}
        />
        {from === 'sequence' ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (/^\d{1,20}$/.test(seqText)) go({ seq: seqText });
            }}
          >
            <label className="input mono" style={{ width: 150 }}>
              <span className="vh">From sequence</span>
              <input inputMode="numeric" value={seqText} placeholder={search.seq ?? 'sequence'} onChange={(event) => setSeqText(event.target.value.replace(/\D/g, ''))} onBlur={() => (seqText ? go({ seq: seqText }) : undefined)} />
            </label>
          </form>
        ) : null}
        <form
          className="grow"
          style={{ maxWidth: 360 }}
          onSubmit={(event) => {
            event.preventDefault();
            if (!subjectWrong) go({ subject: subjectText });
          }}
        >
          <label className={subjectWrong ? 'input mono wrong' : 'input mono'}>
            <span className="vh">Only these subjects</span>
            <input
              ref={filter}
              value={subjectText}
              placeholder={stream.subjects[0] ?? 'subject'}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={subjectWrong ? true : undefined}
              title={subjectWrong ?? undefined}
              onChange={(event) => setSubjectText(event.target.value)}
              onBlur={() => (subjectWrong || subjectText === (search.subject ?? '') ? undefined : go({ subject: subjectText }))}
            />
          </label>
        </form>
      </div>
      <div className="line wrap small ink3" style={{ marginBottom: 8 }}>
        {from === 'latest' && refreshSeconds > 0 ? <StateMark state="work">Follows the newest, read every {refreshSeconds} s</StateMark> : null}
        <span className="to-end tiny">Reads by sequence: no consumer is made, nothing is acknowledged</span>
      </div>
      {query.isPending ? <Loading what={`messages of ${stream.name}`} columns={['Sequence', 'Time', 'Subject', 'Size']} /> : null}
      {query.error && messages.length === 0 ? (
        <ErrorPanel what="Messages could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data && messages.length === 0 ? (
        <NoMatch
          title="No message matches"
          filters={[
            ...(search.subject ? [{ name: 'subject', value: search.subject, onRemove: () => { setSubjectText(''); go({ subject: undefined }); } }] : []),
            ...(from === 'sequence' ? [{ name: 'from sequence', value: search.seq ?? '', onRemove: () => go({ from: undefined, seq: undefined }) }] : []),
          ]}
          onClear={() => {
            setSubjectText('');
            go({ from: undefined, seq: undefined, subject: undefined });
          }}
        >
          {count(stream.state.messages)} messages are kept, {count(stream.state.first_seq)} to {count(stream.state.last_seq)}.
        </NoMatch>
      ) : null}
      {messages.length > 0 ? (
        <>
          <div className="split">
            <div className="scroll-x">
              <table className="pick">
                <caption className="vh">Messages, {from === 'latest' ? 'newest' : 'oldest'} first</caption>
                <thead>
                  <tr>
                    <th>Sequence</th>
                    <th className="from-desk">Time{zone === 'utc' ? ', UTC' : ''}</th>
                    <th>Subject</th>
                    <th className="num from-desk">Size</th>
                    <th className="from-desk from-wide">Payload</th>
                  </tr>
                </thead>
                <tbody>
                  {messages.map((message) => (
                    <tr
                      key={message.seq}
                      id={`row-${message.seq}`}
                      className={[message.seq === shown?.seq ? 'picked' : '', active === message.seq ? 'at-keys' : ''].join(' ').trim() || undefined}
                      onClick={() => show(message)}
                    >
                      <td className="mono nowrap">
                        <button type="button" className="row-button" aria-label={`Show message ${message.seq}`} aria-pressed={message.seq === shown?.seq}>
                          {count(message.seq)}
                        </button>
                        <div className="only-phone ink3 tiny">
                          {clock(message.time, zone)}, {bytes(message.size)}
                        </div>
                      </td>
                      <td className="ink2 nowrap from-desk" title={dateTime(message.time, zone)}>
                        {clock(message.time, zone)}
                      </td>
                      <td>
                        <SubjectChip subject={message.subject} short />
                      </td>
                      <td className="num ink2 from-desk">{bytes(message.size)}</td>
                      <td className="mono ink3 from-desk from-wide payload-cell">
                        <div className="cut">{preview(message.payload)}</div>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {shown ? (
              <div className="viewer" ref={viewer}>
              <MessageViewer
                account={account}
                stream={stream.name}
                message={shown}
                denyDelete={stream.deny_delete ?? false}
                onNewer={at > 0 ? () => setChosen(messages[at - 1]?.seq ?? null) : null}
                onOlder={at < messages.length - 1 ? () => setChosen(messages[at + 1]?.seq ?? null) : null}
              />
              </div>
            ) : null}
          </div>
          <div className="table-foot">
            <span>
              {count(big(messages.length))} of {count(stream.state.messages)}
            </span>
            {query.hasNextPage ? (
              <Button blocked={query.isFetchingNextPage ? 'The next ones are being read.' : null} onClick={() => void query.fetchNextPage()}>
                {from === 'latest' ? 'Older' : 'Next'} {MESSAGES_A_PAGE}
              </Button>
            ) : null}
            <span className="to-end from-desk">
              <kbd>J</kbd> <kbd>K</kbd> move, <kbd>C</kbd> copy payload, <kbd>/</kbd> filter
            </span>
          </div>
        </>
      ) : null}
    </>
  );
}
