import { asApiError } from '../api/error';
import { ErrorPanel } from './ErrorPanel';
import { Loading, Reconnecting } from './states';

interface Query<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
  refetch: () => unknown;
}

interface Props<T> {
  query: Query<T>;
  /** What is read, for "Reading …" and "… could not be read". */
  what: string;
  columns?: readonly string[];
  rows?: number;
  /** Shown in place of the rows when there are none. */
  empty?: React.ReactNode;
  isEmpty?: (data: T) => boolean;
  /** It is the whole page, heading and all. */
  page?: boolean;
  children: (data: T) => React.ReactNode;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The states of a read: at work, failed, old, empty, there. */
export function Listing<T>({ query, what, columns = ['Name'], rows = 4, empty, isEmpty, page, children }: Props<T>) {
  if (query.isPending) return <Loading what={what} columns={columns} rows={rows} />;
  if (query.data === undefined) return <ErrorPanel what={`${sentence(what)} could not be read`} error={asApiError(query.error)} onRetry={() => void query.refetch()} page={page} />;
  const none = isEmpty ? isEmpty(query.data) : Array.isArray(query.data) && query.data.length === 0;
  return (
    <>
      {query.error ? <Reconnecting query={{ ...query, error: asApiError(query.error) }} /> : null}
      {none && empty ? empty : children(query.data)}
    </>
  );
}
