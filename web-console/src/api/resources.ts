import { useQuery } from './use-query';
import { api, body } from './client';
import type { KvBucket } from './types';
import { useLiveInterval } from './queries';

const ALL = { 'page[size]': 500 } as const;

/** A list of one kind, read again while it is looked at. */
function useList<T>(key: readonly unknown[], read: () => Promise<T>, enabled = true) {
  const refetchInterval = useLiveInterval();
  return useQuery({ queryKey: key, queryFn: read, refetchInterval, enabled });
}

export function usePrincipal() {
  return useQuery({ queryKey: ['principal'], queryFn: async () => body(await api.GET('/v1/principal')), staleTime: 60_000 });
}

export function useMembers(org: string) {
  return useList(['members', org], async () => body(await api.GET('/v1/orgs/{org}/members', { params: { path: { org }, query: ALL } })).data);
}

export function useInvitations(org: string, enabled = true) {
  return useList(['invitations', org], async () => body(await api.GET('/v1/orgs/{org}/invitations', { params: { path: { org }, query: ALL } })).data, enabled);
}

export function useRoleAssignments(org: string, enabled = true) {
  return useList(['role-assignments', org], async () => body(await api.GET('/v1/orgs/{org}/role-assignments', { params: { path: { org }, query: ALL } })).data, enabled);
}

export function useProjects(org: string) {
  return useQuery({
    queryKey: ['projects', org],
    staleTime: 60_000,
    queryFn: async () => body(await api.GET('/v1/orgs/{org}/projects', { params: { path: { org }, query: ALL } })).data,
  });
}

export function useServiceAccounts(org: string, enabled = true) {
  return useList(['service-accounts', org], async () => body(await api.GET('/v1/orgs/{org}/service-accounts', { params: { path: { org }, query: ALL } })).data, enabled);
}

export function useOrgTokens(org: string, enabled = true) {
  return useList(['org-tokens', org], async () => body(await api.GET('/v1/orgs/{org}/tokens', { params: { path: { org }, query: ALL } })).data, enabled);
}

export function useTokens(serviceAccount: string) {
  return useList(
    ['tokens', serviceAccount],
    async () => body(await api.GET('/v1/service-accounts/{service_account}/tokens', { params: { path: { service_account: serviceAccount }, query: ALL } })).data,
  );
}

export function useMyTokens(enabled = true) {
  return useList(['my-tokens'], async () => body(await api.GET('/v1/me/tokens', { params: { query: ALL } })).data, enabled);
}

export function useExports(account: string, enabled = true) {
  return useList(['exports', account], async () => body(await api.GET('/v1/accounts/{account}/exports', { params: { path: { account }, query: ALL } })).data, enabled);
}

export function useShares(id: string) {
  return useList(['shares', id], async () => body(await api.GET('/v1/exports/{export}/shares', { params: { path: { export: id }, query: ALL } })).data);
}

export function useOffers(account: string, enabled = true) {
  return useList(['offers', account], async () => body(await api.GET('/v1/accounts/{account}/offers', { params: { path: { account }, query: ALL } })).data, enabled);
}

export function useImports(account: string, enabled = true) {
  return useList(['imports', account], async () => body(await api.GET('/v1/accounts/{account}/imports', { params: { path: { account }, query: ALL } })).data, enabled);
}

export function useRevocations(account: string, enabled = true) {
  return useList(['revocations', account], async () => body(await api.GET('/v1/accounts/{account}/revocations', { params: { path: { account }, query: ALL } })).data, enabled);
}

export function useDeletedStreams(account: string) {
  return useList(['deleted-streams', account], async () => body(await api.GET('/v1/accounts/{account}/deleted-streams', { params: { path: { account }, query: ALL } })).data);
}

export function useOperations(account: string) {
  return useList(['operations', account], async () => body(await api.GET('/v1/accounts/{account}/operations', { params: { path: { account }, query: { 'page[size]': 20 } } })).data);
}

export function useKvBuckets(account: string) {
  return useList(['kv', account], async () => body(await api.GET('/v1/accounts/{account}/kv', { params: { path: { account }, query: ALL } })).data);
}

export function useKvBucket(account: string, bucket: string) {
  return useList(['kv-bucket', account, bucket], async () => body(await api.GET('/v1/accounts/{account}/kv/{bucket}', { params: { path: { account, bucket } } })));
}

export function useKvKeys(account: string, bucket: string, filter: string) {
  return useList(['kv-keys', account, bucket, filter], async () =>
    body(await api.GET('/v1/accounts/{account}/kv/{bucket}/entries', { params: { path: { account, bucket }, query: { ...ALL, ...(filter ? { filter } : {}) } } })),
  );
}

export function useKvEntry(account: string, bucket: string, key: string | null) {
  return useList(
    ['kv-entry', account, bucket, key],
    async () => body(await api.GET('/v1/accounts/{account}/kv/{bucket}/entries/{key}', { params: { path: { account, bucket, key: key ?? '' } } })),
    key !== null,
  );
}

/** Every write of a key that the bucket still keeps, newest first: the messages of its subject, read without a consumer. */
export function useKvHistory(account: string, bucket: KvBucket, key: string) {
  return useList(['kv-history', account, bucket.name, key], async () =>
    body(
      await api.GET('/v1/accounts/{account}/streams/{stream}/messages', {
        params: { path: { account, stream: bucket.stream_name }, query: { subject: `$KV.${bucket.name}.${key}`, last: 64, 'page[size]': 64 } },
      }),
    ).data,
  );
}

export function useObjectBuckets(account: string) {
  return useList(['objects', account], async () => body(await api.GET('/v1/accounts/{account}/objects', { params: { path: { account }, query: ALL } })).data);
}

export function useObjectBucket(account: string, bucket: string) {
  return useList(['object-bucket', account, bucket], async () => body(await api.GET('/v1/accounts/{account}/objects/{bucket}', { params: { path: { account, bucket } } })));
}

export function useObjectItems(account: string, bucket: string) {
  return useList(['object-items', account, bucket], async () => body(await api.GET('/v1/accounts/{account}/objects/{bucket}/items', { params: { path: { account, bucket }, query: ALL } })));
}

export function useCluster(account: string, enabled = true) {
  return useList(['cluster', account], async () => body(await api.GET('/v1/accounts/{account}/cluster', { params: { path: { account } } })), enabled);
}
