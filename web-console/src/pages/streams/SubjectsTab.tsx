import { useInfiniteQuery } from '../../api/use-query';
import { Link } from '@tanstack/react-router';
import { api, body } from '../../api/client';
import { asApiError } from '../../api/error';
import { useLiveInterval } from '../../api/queries';
import type { Stream } from '../../api/types';
import { count, share } from '../../lib/format';
import { Button } from '../../ui/Button';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { LevelTube } from '../../ui/LevelTube';
import { SubjectChip } from '../../ui/SubjectChip';
import { Empty, Loading } from '../../ui/states';

/** Which subjects the stream holds, and how many messages of each. */
export function SubjectsTab({ account, stream }: { account: string; stream: Stream }) {
  const refetchInterval = useLiveInterval();
  const query = useInfiniteQuery({
    queryKey: ['subjects', account, stream.name],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) =>
      body(
        await api.GET('/v1/accounts/{account}/streams/{stream}/subjects', {
          params: { path: { account, stream: stream.name }, query: { 'page[size]': 100, ...(pageParam ? { 'page[after]': pageParam } : {}) } },
        }),
      ),
    getNextPageParam: (last) => last.page.next,
    refetchInterval,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  if (query.isPending) return <Loading what={`subjects of ${stream.name}`} columns={['Subject', 'Messages']} />;
  if (query.error && !query.data) return <ErrorPanel what="Subjects could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  if (rows.length === 0) {
    return (
      <Empty title="No subject holds a message">
        <p className="ink2">Subjects show up here once something is published on them.</p>
      </Empty>
    );
  }
  return (
    <>
      <table style={{ marginTop: 12, maxWidth: 760 }}>
        <caption className="vh">Subjects in {stream.name}</caption>
        <thead>
          <tr>
            <th>Subject</th>
            <th className="num">Messages</th>
            <th className="from-desk" style={{ width: 140 }}>
              <span className="vh">Share of the stream</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.subject}>
              <td>
                <Link to="/accounts/$account/streams/$stream" params={{ account, stream: stream.name }} search={{ subject: row.subject }} aria-label={`Messages of ${row.subject}`} className="whole-subject" style={{ textDecoration: 'none' }}>
                  <SubjectChip subject={row.subject} />
                </Link>
              </td>
              <td className="num">{count(row.messages)}</td>
              <td className="from-desk">
                <LevelTube thin percent={share(row.messages, stream.state.messages)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="table-foot">
        <span>
          {rows.length} of {count(stream.state.num_subjects)}
        </span>
        {query.hasNextPage ? <Button onClick={() => void query.fetchNextPage()}>Next 100</Button> : null}
      </div>
    </>
  );
}
