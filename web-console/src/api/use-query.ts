import {
  useInfiniteQuery as useInfinite,
  useQuery as useOne,
  type DefaultError,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';

interface Read {
  isPending: boolean;
  error: unknown;
  errorUpdateCount: number;
}

/**
 * What was read at last, where nothing was ever read but an error. The library forgets the error as
 * soon as it tries again, and the page would change between the error and "Reading" at each try.
 */
function useKept<R extends Read>(read: R): R {
  const [last, setLast] = useState<unknown>(null);
  if (read.error !== null && read.error !== last) setLast(read.error);
  if (!read.isPending || read.errorUpdateCount === 0 || last === null) return read;
  return { ...read, isPending: false, error: last };
}

export function useQuery<T = unknown, E = DefaultError, D = T, K extends QueryKey = QueryKey>(options: UseQueryOptions<T, E, D, K>): UseQueryResult<D, E> {
  return useKept(useOne(options));
}

export function useInfiniteQuery<T, E = DefaultError, D = InfiniteData<T>, K extends QueryKey = QueryKey, P = unknown>(
  options: UseInfiniteQueryOptions<T, E, D, K, P>,
): UseInfiniteQueryResult<D, E> {
  return useKept(useInfinite(options));
}
