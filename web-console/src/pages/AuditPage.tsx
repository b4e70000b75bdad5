import { asApiError } from '../api/error';
import { useAudit } from '../api/queries';
import { useHere } from '../frame/here';
import { AuditTable } from '../ui/AuditTable';
import { Button } from '../ui/Button';
import { ErrorPanel } from '../ui/ErrorPanel';
import { PageHead } from '../ui/Page';
import { Empty, Loading, Reconnecting } from '../ui/states';

export function AuditPage() {
  const { org } = useHere();
  const query = useAudit(org.id, {});
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <PageHead tab="Audit log" title="Audit log" facts={<span>What was changed in {org.name}, by whom, from where. Newest first.</span>} />
      {query.error && query.data ? <Reconnecting query={{ ...query, error: asApiError(query.error) }} /> : null}
      {query.isPending ? <Loading what="the audit log" columns={['Time', 'What', 'Who', 'From']} /> : null}
      {query.error && !query.data ? <ErrorPanel what="The audit log could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} /> : null}
      {query.data && rows.length === 0 ? (
        <Empty title="Nothing changed yet" drawing={false}>
          <p className="ink2">Each change made through the console or the API is kept here.</p>
        </Empty>
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
              <span>This is the whole log.</span>
            )}
          </div>
        </>
      ) : null}
    </>
  );
}
