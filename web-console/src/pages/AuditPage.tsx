import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { asApiError } from '../api/error';
import { useAudit } from '../api/queries';
import { useHere } from '../frame/here';
import { AuditTable } from '../ui/AuditTable';
import { Button } from '../ui/Button';
import { ErrorPanel } from '../ui/ErrorPanel';
import { Views } from '../ui/Field';
import { PageHead } from '../ui/Page';
import { Empty, Loading, NoMatch, Reconnecting } from '../ui/states';

const SINCE_WORDS = { '1h': '1 h', '24h': '24 h', '7d': '7 days' } as const;
const SINCE = { all: 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;

/** What the log knows, by what it is about. */
const ACTIONS: Record<string, readonly string[]> = {
  Streams: ['stream.created', 'stream.updated', 'stream.purged', 'stream.deleted', 'stream.restored'],
  Consumers: ['consumer.created', 'consumer.updated', 'consumer.paused', 'consumer.resumed', 'consumer.reset', 'consumer.deleted'],
  Buckets: ['kv_bucket.created', 'kv_bucket.updated', 'kv_bucket.deleted', 'object_bucket.created', 'object_bucket.deleted'],
  Credentials: ['credential.issued', 'user.revoked', 'revocation.created', 'signing_key_group.updated'],
  People: ['member.updated', 'member.removed', 'invitation.created', 'role.given'],
  Tokens: ['service_account.created', 'token.created', 'token.rotated', 'token.revoked'],
  Account: ['account.created', 'account.updated', 'account.deleted', 'export.created', 'import.created'],
};

const words = (action: string) => action.replace(/[._]/g, ' ');

export function AuditPage() {
  const { org } = useHere();
  const { account } = useParams({ from: '/accounts/$account/audit' });
  const search = useSearch({ from: '/accounts/$account/audit' });
  const navigate = useNavigate();
  const filtered = Boolean(search.action || search.since);
  const query = useAudit(org.id, { ...(search.action ? { action: search.action } : {}), ...(search.since ? { sinceMs: SINCE[search.since] } : {}) });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const known = Object.values(ACTIONS).flat();
  const seen = [...new Set([...rows.map((event) => event.action), ...(search.action ? [search.action] : [])])].filter((action) => !known.includes(action)).sort();
  const go = (change: { action?: string | undefined; since?: keyof typeof SINCE | undefined }) => {
    const next = { ...search, ...change };
    void navigate({
      to: '/accounts/$account/audit',
      params: { account },
      search: { ...(next.action ? { action: next.action } : {}), ...(next.since && next.since !== 'all' ? { since: next.since } : {}) },
      replace: true,
    });
  };
  return (
    <>
      <PageHead tab="Audit log" title="Audit log" facts={<span>What was changed in {org.name}, by whom, from where. Newest first.</span>} />
      <div className="toolbar">
        <span className="input quiet fill" style={{ width: 250 }}>
          <select aria-label="What was done" value={search.action ?? ''} onChange={(event) => go({ action: event.target.value || undefined })}>
            <option value="">everything that was done</option>
            {Object.entries(ACTIONS).map(([group, actions]) => (
              <optgroup key={group} label={group}>
                {actions.map((action) => (
                  <option key={action} value={action}>
                    {words(action)}
                  </option>
                ))}
              </optgroup>
            ))}
            {seen.length ? (
              <optgroup label="Others">
                {seen.map((action) => (
                  <option key={action} value={action}>
                    {words(action)}
                  </option>
                ))}
              </optgroup>
            ) : null}
          </select>
        </span>
        <span className="to-end">
          <Views
            label="When"
            value={search.since ?? 'all'}
            onChange={(since) => go({ since })}
            options={[
              { value: 'all', label: 'All' },
              { value: '7d', label: SINCE_WORDS['7d'] },
              { value: '24h', label: SINCE_WORDS['24h'] },
              { value: '1h', label: SINCE_WORDS['1h'] },
            ]}
          />
        </span>
      </div>
      {query.error && query.data ? <Reconnecting query={{ ...query, error: asApiError(query.error) }} /> : null}
      {query.isPending ? <Loading what="the audit log" columns={['Time', 'What', 'Who', 'From']} /> : null}
      {query.error && !query.data ? <ErrorPanel what="The audit log could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} /> : null}
      {query.data && rows.length === 0 ? (
        filtered ? (
          <NoMatch
            title="Nothing like that was done"
            filters={[
              ...(search.action ? [{ name: 'what', value: words(search.action), onRemove: () => go({ action: undefined }) }] : []),
              ...(search.since ? [{ name: 'within', value: SINCE_WORDS[search.since], onRemove: () => go({ since: undefined }) }] : []),
            ]}
            onClear={() => go({ action: undefined, since: undefined })}
          >
            The log itself is kept whole.
          </NoMatch>
        ) : (
          <Empty title="Nothing changed yet" drawing={false}>
            <p className="ink2">Each change made through the console or the API is kept here.</p>
          </Empty>
        )
      ) : null}
      {rows.length > 0 ? (
        <>
          <AuditTable events={rows} caption={`Changes in ${org.name}`} />
          <div className="table-foot">
            <span>{rows.length} shown</span>
            {query.hasNextPage ? (
              <Button blocked={query.isFetchingNextPage ? 'The next 50 are being read.' : null} onClick={() => void query.fetchNextPage()}>
                Older 50
              </Button>
            ) : (
              <span>{filtered ? 'That is all of them.' : 'This is the whole log.'}</span>
            )}
          </div>
        </>
      ) : null}
    </>
  );
}
