import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, type RouterHistory } from '@tanstack/react-router';
import { DoneNotes } from './ui/done-notes';
import { NotFound, RouteError } from './pages/NotFound';

export interface Crumb {
  text: string;
  mono?: boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The last part of the breadcrumb; a function reads the path's parameters. */
    crumb?: Crumb | ((params: Record<string, string>) => Crumb);
  }
}

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <DoneNotes />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: RouteError,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/HomePage'), 'HomePage'),
});

const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  component: lazyRouteComponent(() => import('./pages/SignUpPage'), 'SignUpPage'),
});

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: (search: Record<string, unknown>): { token?: string } =>
    typeof search.token === 'string' ? { token: search.token } : {},
  component: lazyRouteComponent(() => import('./pages/VerifyPage'), 'VerifyPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/InvitationPage'), 'InvitationPage'),
});

const signedOut = createRoute({
  getParentRoute: () => root,
  path: '/signed-out',
  component: lazyRouteComponent(() => import('./pages/SignedOutPage'), 'SignedOutPage'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./pages/PasswordPages'), 'ForgotPasswordPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/PasswordPages'), 'ResetPasswordPage'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/accounts/$account',
  component: lazyRouteComponent(() => import('./frame/AppFrame'), 'AppFrame'),
});

const overview = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/OverviewPage'), 'OverviewPage'),
});

const getStarted = createRoute({
  getParentRoute: () => account,
  path: '/get-started',
  staticData: { crumb: { text: 'Get started' } },
  component: lazyRouteComponent(() => import('./pages/GetStartedPage'), 'GetStartedPage'),
});

const connect = createRoute({
  getParentRoute: () => account,
  path: '/connect',
  staticData: { crumb: { text: 'Connect' } },
  component: lazyRouteComponent(() => import('./pages/ConnectPage'), 'ConnectPage'),
});

export interface CredentialsSearch {
  tab?: 'groups' | 'issuances' | 'revocations';
  create?: boolean;
}

const credentials = createRoute({
  getParentRoute: () => account,
  path: '/credentials',
  staticData: { crumb: { text: 'Users and keys' } },
  validateSearch: (search: Record<string, unknown>): CredentialsSearch => ({
    ...(search.tab === 'groups' || search.tab === 'issuances' || search.tab === 'revocations' ? { tab: search.tab } : {}),
    ...(search.create === true ? { create: true } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/credentials/CredentialsPage'), 'CredentialsPage'),
});

export type StreamSort = 'name' | 'messages' | 'bytes' | 'last';

export interface StreamsSearch {
  q?: string;
  view?: 'workqueue' | 'idle';
  sort?: StreamSort;
}

const streams = createRoute({
  getParentRoute: () => account,
  path: '/streams',
  staticData: { crumb: { text: 'Streams' } },
});

const streamList = createRoute({
  getParentRoute: () => streams,
  path: '/',
  validateSearch: (search: Record<string, unknown>): StreamsSearch => ({
    ...(search.q !== undefined && search.q !== '' ? { q: String(search.q) } : {}),
    ...(search.view === 'workqueue' || search.view === 'idle' ? { view: search.view } : {}),
    ...(search.sort === 'messages' || search.sort === 'bytes' || search.sort === 'last' ? { sort: search.sort } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/streams/StreamsPage'), 'StreamsPage'),
});

// A tilde cannot stand in a name of the broker: no stream or consumer hides behind these pages.
const streamCreate = createRoute({
  getParentRoute: () => streams,
  path: '/~new',
  staticData: { crumb: { text: 'Create' } },
  validateSearch: (search: Record<string, unknown>): { from?: string } => (typeof search.from === 'string' && search.from ? { from: search.from } : {}),
  component: lazyRouteComponent(() => import('./pages/streams/StreamCreatePage'), 'StreamCreatePage'),
});

export interface StreamSearch {
  tab?: 'consumers' | 'subjects' | 'config' | 'history';
  from?: 'first' | 'sequence';
  seq?: string;
  subject?: string;
}

const stream = createRoute({
  getParentRoute: () => streams,
  path: '/$stream',
  staticData: { crumb: (params) => ({ text: params.stream ?? '', mono: true }) },
});

const streamDetail = createRoute({
  getParentRoute: () => stream,
  path: '/',
  validateSearch: (search: Record<string, unknown>): StreamSearch => ({
    ...(['consumers', 'subjects', 'config', 'history'].includes(String(search.tab))
      ? { tab: search.tab as NonNullable<StreamSearch['tab']> }
      : {}),
    ...(search.from === 'first' || search.from === 'sequence' ? { from: search.from } : {}),
    ...(/^\d{1,20}$/.test(String(search.seq ?? '')) ? { seq: String(search.seq) } : {}),
    ...(search.subject !== undefined && search.subject !== '' ? { subject: String(search.subject) } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/streams/StreamPage'), 'StreamPage'),
});

const streamEdit = createRoute({
  getParentRoute: () => stream,
  path: '/edit',
  staticData: { crumb: { text: 'Edit' } },
  component: lazyRouteComponent(() => import('./pages/streams/StreamEditPage'), 'StreamEditPage'),
});

const consumerCreate = createRoute({
  getParentRoute: () => stream,
  path: '/consumers/~new',
  staticData: { crumb: { text: 'Create consumer' } },
  component: lazyRouteComponent(() => import('./pages/consumers/ConsumerCreatePage'), 'ConsumerCreatePage'),
});

const consumer = createRoute({
  getParentRoute: () => stream,
  path: '/consumers/$consumer',
  staticData: { crumb: (params) => ({ text: params.consumer ?? '', mono: true }) },
});

const consumerEdit = createRoute({
  getParentRoute: () => consumer,
  path: '/edit',
  staticData: { crumb: { text: 'Edit' } },
  component: lazyRouteComponent(() => import('./pages/consumers/ConsumerEditPage'), 'ConsumerEditPage'),
});

const consumerDetail = createRoute({
  getParentRoute: () => consumer,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/consumers/ConsumerPage'), 'ConsumerPage'),
});

/** A tab of the address, where it is one of those the page has. */
function tabSearch<const T extends string>(...tabs: readonly T[]) {
  return (search: Record<string, unknown>): { tab?: T } => {
    const found = tabs.find((tab) => tab === search.tab);
    return found ? { tab: found } : {};
  };
}

const members = createRoute({
  getParentRoute: () => account,
  path: '/members',
  staticData: { crumb: { text: 'Members' } },
  validateSearch: tabSearch('invitations', 'roles'),
  component: lazyRouteComponent(() => import('./pages/members/MembersPage'), 'MembersPage'),
});

const serviceAccounts = createRoute({
  getParentRoute: () => account,
  path: '/service-accounts',
  staticData: { crumb: { text: 'Service accounts' } },
  validateSearch: tabSearch('personal', 'tokens'),
  component: lazyRouteComponent(() => import('./pages/service-accounts/ServiceAccountsPage'), 'ServiceAccountsPage'),
});

const sharing = createRoute({
  getParentRoute: () => account,
  path: '/sharing',
  staticData: { crumb: { text: 'Sharing' } },
  validateSearch: tabSearch('imports', 'offers'),
  component: lazyRouteComponent(() => import('./pages/sharing/SharingPage'), 'SharingPage'),
});

const settings = createRoute({
  getParentRoute: () => account,
  path: '/settings',
  staticData: { crumb: { text: 'Settings' } },
  component: lazyRouteComponent(() => import('./pages/settings/SettingsPage'), 'SettingsPage'),
});

const cluster = createRoute({
  getParentRoute: () => account,
  path: '/cluster',
  staticData: { crumb: { text: 'Cluster' } },
  component: lazyRouteComponent(() => import('./pages/cluster/ClusterPage'), 'ClusterPage'),
});

const kv = createRoute({ getParentRoute: () => account, path: '/kv', staticData: { crumb: { text: 'KV buckets' } } });
const kvList = createRoute({ getParentRoute: () => kv, path: '/', component: lazyRouteComponent(() => import('./pages/buckets/BucketsPage'), 'KvPage') });
const kvCreate = createRoute({
  getParentRoute: () => kv,
  path: '/~new',
  staticData: { crumb: { text: 'Create' } },
  component: lazyRouteComponent(() => import('./pages/buckets/BucketFormPages'), 'KvCreatePage'),
});
const kvBucket = createRoute({ getParentRoute: () => kv, path: '/$bucket', staticData: { crumb: (params) => ({ text: params.bucket ?? '', mono: true }) } });
const kvDetail = createRoute({
  getParentRoute: () => kvBucket,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { q?: string; key?: string } => ({
    ...(search.q !== undefined && search.q !== '' ? { q: String(search.q) } : {}),
    ...(search.key !== undefined && search.key !== '' ? { key: String(search.key) } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/buckets/KvBucketPage'), 'KvBucketPage'),
});
const kvEdit = createRoute({
  getParentRoute: () => kvBucket,
  path: '/edit',
  staticData: { crumb: { text: 'Edit' } },
  component: lazyRouteComponent(() => import('./pages/buckets/BucketFormPages'), 'KvEditPage'),
});

const objects = createRoute({ getParentRoute: () => account, path: '/objects', staticData: { crumb: { text: 'Object buckets' } } });
const objectList = createRoute({ getParentRoute: () => objects, path: '/', component: lazyRouteComponent(() => import('./pages/buckets/BucketsPage'), 'ObjectsPage') });
const objectCreate = createRoute({
  getParentRoute: () => objects,
  path: '/~new',
  staticData: { crumb: { text: 'Create' } },
  component: lazyRouteComponent(() => import('./pages/buckets/BucketFormPages'), 'ObjectCreatePage'),
});
const objectBucket = createRoute({ getParentRoute: () => objects, path: '/$bucket', staticData: { crumb: (params) => ({ text: params.bucket ?? '', mono: true }) } });
const objectDetail = createRoute({ getParentRoute: () => objectBucket, path: '/', component: lazyRouteComponent(() => import('./pages/buckets/ObjectBucketPage'), 'ObjectBucketPage') });
const objectEdit = createRoute({
  getParentRoute: () => objectBucket,
  path: '/edit',
  staticData: { crumb: { text: 'Edit' } },
  component: lazyRouteComponent(() => import('./pages/buckets/BucketFormPages'), 'ObjectEditPage'),
});

export interface AuditSearch {
  /** Such as stream.deleted. */
  action?: string;
  since?: '1h' | '24h' | '7d';
}

const audit = createRoute({
  getParentRoute: () => account,
  path: '/audit',
  staticData: { crumb: { text: 'Audit log' } },
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    ...(typeof search.action === 'string' && search.action ? { action: search.action } : {}),
    ...(search.since === '1h' || search.since === '24h' || search.since === '7d' ? { since: search.since } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/AuditPage'), 'AuditPage'),
});

const routeTree = root.addChildren([
  home,
  signup,
  verify,
  invitation,
  forgotPassword,
  resetPassword,
  signedOut,
  account.addChildren([
    overview,
    getStarted,
    connect,
    credentials,
    streams.addChildren([
      streamList,
      streamCreate,
      stream.addChildren([streamDetail, streamEdit, consumerCreate, consumer.addChildren([consumerDetail, consumerEdit])]),
    ]),
    kv.addChildren([kvList, kvCreate, kvBucket.addChildren([kvDetail, kvEdit])]),
    objects.addChildren([objectList, objectCreate, objectBucket.addChildren([objectDetail, objectEdit])]),
    sharing,
    members,
    serviceAccounts,
    cluster,
    settings,
    audit,
  ]),
]);

export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    scrollRestoration: true,
    ...(history ? { history } : {}),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
