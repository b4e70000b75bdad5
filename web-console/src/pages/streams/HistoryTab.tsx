import type { Stream } from '../../api/types';
import { asApiError } from '../../api/error';
import { useAudit } from '../../api/queries';
import { useHere } from '../../frame/here';
import { AuditTable } from '../../ui/AuditTable';
import { Button } from '../../ui/Button';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { Empty, Loading } from '../../ui/states';

/** Changes made through the console or the API; those a client made at the broker are not known here. */
export function HistoryTab({ account, stream }: { account: string; stream: Stream }) {
  const { org } = useHere();
  const query = useAudit(org.id, { resource: `/v1/accounts/${account}/streams/${stream.name}` });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  if (query.isPending) return <Loading what={`history of ${stream.name}`} columns={['Time', 'What', 'Who']} rows={3} />;
  if (query.error && !query.data) return <ErrorPanel what="The history could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  if (rows.length === 0) {
    return (
      <Empty title="No change through the console" drawing={false}>
        <p className="ink2">Changes made here or through the API are listed with who and when. What a client does at the broker itself is not.</p>
      </Empty>
    );
  }
  return (
    <div style={{ marginTop: 12 }}>
      <AuditTable events={rows} caption={`Changes of ${stream.name}`} />
      <div className="table-foot">
        <span>Changes made at the broker itself are not listed here.</span>
        {query.hasNextPage ? <Button onClick={() => void query.fetchNextPage()}>Older 50</Button> : null}
      </div>
    </div>
  );
}
