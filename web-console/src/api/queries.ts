import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useInfiniteQuery, useQuery } from './use-query';
import { usePrefs } from '../lib/prefs';
import { api, body, rememberCsrf } from './client';

const ALL = 500;

/** Milliseconds between reads of live values, or false when a person turned them off. */
export function useLiveInterval(): number | false {
  const { refreshSeconds } = usePrefs();
  return refreshSeconds === 0 ? false : refreshSeconds * 1000;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = body(await api.GET('/v1/me'));
    rememberCsrf(me.csrf_token);
    return me;
  },
  staleTime: 60_000,
});

export function useMe() {
  return useQuery(meQuery);
}

/** Every account a person can reach, with the names of its project and organisation. */
export const treeQuery = queryOptions({
  queryKey: ['tree'],
  staleTime: 60_000,
  queryFn: async () => {
    const me = body(await api.GET('/v1/me'));
    rememberCsrf(me.csrf_token);
    const perOrg = await Promise.all(
      me.organizations.map(async (org) => {
        const projects = body(
          await api.GET('/v1/orgs/{org}/projects', { params: { path: { org: org.id }, query: { 'page[size]': ALL } } }),
        ).data;
        return Promise.all(
          projects.map(async (project) => {
            const accounts = body(
              await api.GET('/v1/projects/{project}/accounts', {
                params: { path: { project: project.id }, query: { 'page[size]': ALL } },
              }),
            ).data;
            return accounts.map((account) => ({ org, project, account }));
          }),
        );
      }),
    );
    return perOrg.flat(2);
  },
});

export function useTree() {
  return useQuery(treeQuery);
}

export function useAccount(account: string) {
  const refetchInterval = useLiveInterval();
  return useQuery({
    queryKey: ['account', account],
    queryFn: async () => body(await api.GET('/v1/accounts/{account}', { params: { path: { account } } })),
    refetchInterval,
  });
}

export function useConnectInfo(account: string) {
  return useQuery({
    queryKey: ['connect-info', account],
    queryFn: async () => body(await api.GET('/v1/accounts/{account}/connect-info', { params: { path: { account } } })),
    staleTime: 300_000,
  });
}

/** Read every two seconds while a step is awaited, whatever the refresh setting: this is a wait, not a chart. */
export function useOnboarding(account: string, awaited: boolean) {
  const live = useLiveInterval();
  return useQuery({
    queryKey: ['onboarding', account],
    queryFn: async () => body(await api.GET('/v1/accounts/{account}/onboarding', { params: { path: { account } } })),
    refetchInterval: awaited ? 2_000 : live,
  });
}

export function useGroups(account: string) {
  return useQuery({
    queryKey: ['groups', account],
    queryFn: async () =>
      body(
        await api.GET('/v1/accounts/{account}/signing-key-groups', {
          params: { path: { account }, query: { 'page[size]': ALL } },
        }),
      ).data,
    staleTime: 30_000,
  });
}

export function useUsers(account: string) {
  const refetchInterval = useLiveInterval();
  return useQuery({
    queryKey: ['users', account],
    queryFn: async () =>
      body(
        await api.GET('/v1/accounts/{account}/users', { params: { path: { account }, query: { 'page[size]': ALL } } }),
      ),
    refetchInterval,
  });
}

export function useAccountIssuances(account: string, enabled = true) {
  const refetchInterval = useLiveInterval();
  return useQuery({
    queryKey: ['issuances', account],
    queryFn: async () =>
      body(
        await api.GET('/v1/accounts/{account}/issuances', {
          params: { path: { account }, query: { 'page[size]': ALL } },
        }),
      ).data,
    refetchInterval,
    enabled,
  });
}

export function useUserIssuances(user: string, enabled: boolean) {
  const live = useLiveInterval();
  return useQuery({
    queryKey: ['user-issuances', user],
    queryFn: async () =>
      body(await api.GET('/v1/users/{user}/issuances', { params: { path: { user }, query: { 'page[size]': ALL } } }))
        .data,
    refetchInterval: live,
    enabled,
  });
}

export function useStreams(account: string) {
  const refetchInterval = useLiveInterval();
  return useQuery({
    queryKey: ['streams', account],
    queryFn: async () =>
      body(
        await api.GET('/v1/accounts/{account}/streams', {
          params: { path: { account }, query: { 'page[size]': ALL } },
        }),
      ),
    refetchInterval,
  });
}

export function useStream(account: string, stream: string) {
  const refetchInterval = useLiveInterval();
  return useQuery({
    queryKey: ['stream', account, stream],
    queryFn: async () =>
      body(await api.GET('/v1/accounts/{account}/streams/{stream}', { params: { path: { account, stream } } })),
    refetchInterval,
  });
}

export function consumersQuery(account: string, stream: string) {
  return queryOptions({
    queryKey: ['consumers', account, stream],
    queryFn: async () =>
      body(
        await api.GET('/v1/accounts/{account}/streams/{stream}/consumers', {
          params: { path: { account, stream }, query: { 'page[size]': ALL } },
        }),
      ).data,
  });
}

export function useConsumers(account: string, stream: string) {
  const refetchInterval = useLiveInterval();
  return useQuery({ ...consumersQuery(account, stream), refetchInterval });
}

export function useConsumer(account: string, stream: string, consumer: string) {
  const refetchInterval = useLiveInterval();
  return useQuery({
    queryKey: ['consumer', account, stream, consumer],
    queryFn: async () =>
      body(
        await api.GET('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}', {
          params: { path: { account, stream, consumer } },
        }),
      ),
    refetchInterval,
  });
}

export interface MessageWindow {
  from: 'latest' | 'first' | 'sequence';
  sequence: string;
  subject: string;
}

export const MESSAGES_A_PAGE = 25;

export function useMessages(account: string, stream: string, window: MessageWindow, follow: boolean) {
  const live = useLiveInterval();
  return useInfiniteQuery({
    queryKey: ['messages', account, stream, window],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) =>
      body(
        await api.GET('/v1/accounts/{account}/streams/{stream}/messages', {
          params: {
            path: { account, stream },
            query: {
              ...(window.from === 'latest' ? { last: MESSAGES_A_PAGE } : {}),
              ...(window.from === 'sequence' ? { start_seq: window.sequence } : {}),
              ...(window.subject ? { subject: window.subject } : {}),
              'page[size]': MESSAGES_A_PAGE,
              ...(pageParam ? { 'page[after]': pageParam } : {}),
            },
          },
        }),
      ),
    getNextPageParam: (last) => last.page.next,
    refetchInterval: follow ? live : false,
  });
}

export function useAudit(org: string, filter: { resource?: string; action?: string; sinceMs?: number }, enabled = true) {
  const refetchInterval = useLiveInterval();
  return useInfiniteQuery({
    queryKey: ['audit', org, filter],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) =>
      body(
        await api.GET('/v1/orgs/{org}/audit-events', {
          params: {
            path: { org },
            query: {
              'page[size]': 50,
              ...(filter.resource ? { 'filter[resource]': filter.resource } : {}),
              ...(filter.action ? { 'filter[action]': filter.action } : {}),
              ...(filter.sinceMs ? { 'filter[time][gte]': new Date(Date.now() - filter.sinceMs).toISOString() } : {}),
              ...(pageParam ? { 'page[after]': pageParam } : {}),
            },
          },
        }),
      ),
    getNextPageParam: (last) => last.page.next,
    refetchInterval,
    enabled: enabled && org !== '',
  });
}

/** After a change, everything that may show it is read again. */
export function useRefresh() {
  const client = useQueryClient();
  return (...roots: string[]) =>
    Promise.all(roots.map((root) => client.invalidateQueries({ queryKey: [root] }))).then(() => undefined);
}
