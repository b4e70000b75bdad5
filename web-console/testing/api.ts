import { type Call, type Answer, page, Refusal } from './call';
import { emptyState, IDS, iso, newId, type TestingState } from './seed';
import { AccountRoutes } from './account-routes';
import { clusterOf } from './cluster-routes';
import { BucketRoutes } from './bucket-routes';
import { OrgRoutes } from './org-routes';
import { SharingRoutes } from './sharing-routes';
import { StreamRoutes } from './stream-routes';

/** Makes the answer of a matching call a failure: "GET /v1/accounts/…/streams" → 504. */
export interface Fault {
  method: string;
  path: RegExp;
  status: number;
  code: string;
  detail: string;
}

const CSRF = 'testing-csrf';

/**
 * The control plane's contract in memory, for tests and screenshots: it answers /v1 and /auth the
 * way the OpenAPI document says, as far as the console uses it. It is never part of a build.
 */
export class TestingApi {
  faults: Fault[] = [];
  /** Milliseconds before each answer. */
  delay = 0;
  /** Answers to calls of this path do not come. */
  slow: RegExp | null = null;
  readonly calls: string[] = [];

  private readonly people: OrgRoutes;
  private readonly sharing: SharingRoutes;
  private readonly buckets: BucketRoutes;
  private readonly settings: AccountRoutes;

  constructor(public state: TestingState = emptyState()) {
    const log = (action: string, resource: string) => this.log(action, resource);
    this.people = new OrgRoutes(state, log);
    this.sharing = new SharingRoutes(state, log);
    this.buckets = new BucketRoutes(state, log);
    this.settings = new AccountRoutes(state, log);
  }

  async handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const text = request.method === 'GET' ? '' : await request.text();
    this.calls.push(`${request.method} ${url.pathname}${url.search}`);
    if (this.delay) await new Promise((done) => setTimeout(done, this.delay));
    if (this.slow?.test(url.pathname)) await new Promise(() => undefined);
    const requestId = newId('req');
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
    try {
      const fault = this.faults.find((entry) => entry.method === request.method && entry.path.test(url.pathname));
      if (fault) throw new Refusal(fault.status, fault.code, fault.detail);
      const call: Call = {
        method: request.method,
        parts: url.pathname.split('/').filter(Boolean).map(decodeURIComponent),
        query: url.searchParams,
        body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
        headers: request.headers,
      };
      const [status, answer] = this.route(call);
      return status === 204
        ? new Response(null, { status, headers: { 'x-request-id': requestId } })
        : new Response(JSON.stringify(answer), { status, headers });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'internal', String(error));
      return new Response(
        JSON.stringify({
          type: `https://docs.penstock.cloud/errors/${refusal.code}`,
          title: refusal.code.replace(/_/g, ' '),
          status: refusal.status,
          code: refusal.code,
          detail: refusal.detail,
          request_id: requestId,
          retryable: refusal.status >= 500,
          params: {},
          invalid_parameters: [],
          ...refusal.more,
        }),
        { status: refusal.status, headers: { ...headers, 'content-type': 'application/problem+json' } },
      );
    }
  }

  private route(call: Call): Answer {
    const [root, kind] = call.parts;
    if (root === 'auth') return this.auth(call);
    if (kind === 'signup') return this.signup(call);
    if (kind === 'invitations' && call.parts[2] === 'preview') return this.people.invitation(call);
    if (kind === 'password-reset') return this.passwordReset(call);
    if (!this.state.session) throw new Refusal(401, 'unauthenticated', 'There is no session. Sign in first.');
    if (call.method !== 'GET' && call.headers.get('x-csrf-token') !== CSRF) {
      throw new Refusal(403, 'csrf_failed', 'X-CSRF-Token is missing or not that of the session.');
    }
    switch (kind) {
      case 'me':
        if (call.parts[2] === 'tokens') return this.people.myTokens(call);
        return [200, this.me()];
      case 'orgs':
        return this.orgs(call);
      case 'projects':
        return page(this.accounts(call.parts[2] ?? ''));
      case 'accounts':
        return this.account(call);
      case 'users':
        return this.user(call);
      case 'principal':
        return this.people.principal();
      case 'invitations':
        return this.people.invitation(call);
      case 'role-assignments':
        return this.people.roleAssignment(call);
      case 'service-accounts':
        return this.people.serviceAccount(call);
      case 'tokens':
        return this.people.token(call, call.parts[2], call.parts[4]);
      case 'exports':
        return this.sharing.export(call);
      case 'shares':
        return this.sharing.share(call);
      case 'imports':
        return this.sharing.import(call);
      default:
        throw new Refusal(404, 'not_found', `Nothing is at /${call.parts.join('/')}.`);
    }
  }

  private auth(call: Call): Answer {
    if (call.parts[1] === 'logout') {
      this.state.session = false;
      return [200, { redirect: '/signed-out' }];
    }
    throw new Refusal(404, 'not_found', 'The testing API signs in by GET /auth/login only.');
  }

  private passwordReset(call: Call): Answer {
    if (!call.parts[2]) return [202, { email: String(call.body.email) }];
    throw new Refusal(409, 'state_conflict', 'The link was used, replaced by a newer one, or is too old. Ask for a new one.');
  }

  private signup(call: Call): Answer {
    const [, , id, act] = call.parts;
    const after = (ms: number) => iso(this.state.now() + ms);
    if (!id) {
      const email = String(call.body.email);
      const signup = newId('sup');
      this.state.signups.set(signup, { email, code: '419072', token: `token-of-${signup}-padding` });
      if (call.body.organization_name) this.state.orgName = String(call.body.organization_name);
      return [202, { signup_id: signup, email, resend_after: after(60_000), expires_at: after(86_400_000) }];
    }
    if (id === 'verify-link') {
      const known = [...this.state.signups.values()].some((entry) => entry.token === call.body.token);
      if (!known) throw new Refusal(410, 'invalid_request', 'This link has been used or has ended.');
      return [200, { login_url: '/auth/login?redirect=%2F' }];
    }
    const signup = this.state.signups.get(id);
    if (!signup) throw new Refusal(404, 'not_found', 'No such sign-up.');
    if (act === 'resend') return [202, { signup_id: id, email: signup.email, resend_after: after(60_000), expires_at: after(86_400_000) }];
    if (String(call.body.code).replace(/\s/g, '') !== signup.code) {
      throw new Refusal(422, 'validation_failed', 'The code does not match. 4 more tries, then a new code is needed.');
    }
    return [200, { login_url: '/auth/login?redirect=%2F' }];
  }

  private me(): unknown {
    const { state } = this;
    const done = state.bootstrap === 'ready';
    return {
      user: { id: 'usrp_01J9ZQ4T7YJ3M5X8R2B6C0D1EF', ...state.person },
      organizations: done ? [{ id: IDS.org, name: state.orgName, role: 'owner' }] : [],
      csrf_token: CSRF,
      onboarding: {
        bootstrap: {
          state: state.bootstrap,
          steps: ['organization', 'project', 'account', 'signing_key_group', 'broker_sync'].map((name, i) => ({
            name,
            state: done || i < 2 ? 'succeeded' : i === 2 ? 'running' : 'pending',
            error: null,
          })),
          organization_id: IDS.org,
          project_id: IDS.project,
          account_id: done ? IDS.account : null,
          signing_key_group_id: done ? IDS.group : null,
        },
      },
    };
  }

  private orgs(call: Call): Answer {
    if (call.parts[3] === 'audit-events') {
      const resource = call.query.get('filter[resource]');
      const action = call.query.get('filter[action]');
      const since = call.query.get('filter[time][gte]');
      const found = this.state.audit.filter((event) => (!resource || event.resource === resource) && (!action || event.action === action) && (!since || event.time >= since));
      return page([...found].sort((a, b) => b.time.localeCompare(a.time)));
    }
    const more = this.people.org(call);
    if (more) return more;
    const names = new Set([this.state.accountName === 'default' ? 'default' : 'production', ...this.state.otherAccounts.map((entry) => entry.project)]);
    const at = iso(this.state.now());
    return page(
      [...names].map((name, i) => ({
        id: i === 0 ? IDS.project : `proj_${name}`,
        organization_id: IDS.org,
        name,
        description: '',
        environment: name === 'production' ? 'production' : 'development',
        deletion_protection: false,
        created_at: at,
        updated_at: at,
        account_count: 1,
        etag: '"v1"',
      })),
    );
  }

  private accounts(project: string): unknown[] {
    const own = project === IDS.project ? [this.settings.body(IDS.account, this.state.accountName, project)] : [];
    const name = project === IDS.project ? 'production' : project.replace('proj_', '');
    const others = this.state.otherAccounts.filter((entry) => entry.project === name);
    return [...own, ...others.map((entry) => this.settings.body(`acct_${entry.name}`, entry.name, project))];
  }

  private account(call: Call): Answer {
    const [, , id, part, name] = call.parts;
    if (id !== IDS.account) throw new Refusal(404, 'not_found', 'No such account.');
    switch (part) {
      case undefined:
        return this.settings.answer(call);
      case 'actions':
        Object.assign(this.state.access.account, { state: 'active', deleted_at: null, purge_at: null });
        return [202, this.settings.operation('account.restore')];
      case 'kv':
        return this.buckets.kv(call);
      case 'objects':
        return this.buckets.objects(call);
      case 'exports':
        return this.sharing.exports(call);
      case 'offers':
        return this.sharing.offers(call);
      case 'imports':
        return this.sharing.imports(call);
      case 'revocations':
        return this.sharing.revocations(call);
      case 'cluster':
        return clusterOf(this.state);
      case 'operations':
        return page(this.state.access.operations);
      case 'connect-info':
        return [
          200,
          {
            client_urls: ['nats://127.0.0.1:4222'],
            websocket_urls: ['ws://127.0.0.1:9222'],
            tls_required: false,
            account_public_key: 'AD5Q2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y',
            server_version: '2.15.3',
          },
        ];
      case 'onboarding':
        if (name === 'dismiss') this.state.dismissed = true;
        return [200, this.onboarding()];
      case 'signing-key-groups':
        return page(this.state.groups);
      case 'users':
        return page(this.state.users);
      case 'issuances':
        return page(this.state.issuances);
      case 'credentials':
        return this.credential(call);
      case 'deleted-streams':
        return new StreamRoutes(this.state, (action, resource) => this.log(action, resource)).deleted();
      case 'streams':
        return this.buckets.history(call) ?? new StreamRoutes(this.state, (action, resource) => this.log(action, resource)).answer(call);
      default:
        throw new Refusal(404, 'not_found', `Nothing is at /${call.parts.join('/')}.`);
    }
  }

  private onboarding(): unknown {
    const { connected, publishedAt, issuances, streams, dismissed } = this.state;
    const first = [...streams.values()][0];
    return {
      credential_created: { done: issuances.length > 0, at: issuances[0]?.issued_at ?? null },
      connected: {
        done: connected !== null,
        at: connected?.at ?? null,
        client_lang: connected?.lang ?? null,
        client_version: connected?.version ?? null,
        ip: connected?.ip ?? null,
        user_name: connected?.user ?? null,
      },
      published: { done: publishedAt !== null, at: publishedAt },
      stream_created: { done: streams.size > 0, at: first?.stream.created_at ?? null },
      dismissed,
    };
  }

  private issue(user: TestingState['users'][number], call: Call): { issuance: unknown; jwt: string; creds: string | null } {
    if (!call.headers.get('idempotency-key')) throw new Refusal(400, 'idempotency_key_required', 'Send Idempotency-Key.');
    const now = this.state.now();
    const own = typeof call.body.public_key === 'string' ? call.body.public_key : null;
    const issuance = {
      id: newId('iss'),
      account_id: IDS.account,
      user_id: user.id,
      user_name: user.name,
      signing_key_group_id: user.signing_key_group_id,
      user_public_key: own ?? 'UBQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y5E',
      jti: 'TESTING',
      state: 'active' as const,
      channel: 'console' as const,
      issued_by: this.state.person.name,
      issued_at: iso(now),
      expires_at: iso(now + 90 * 86_400_000),
      revoked_at: null,
      revoke_at: null,
      issue_key: null,
      first_connected_at: null,
      last_connected_at: null,
    };
    this.state.issuances.push(issuance);
    user.issuance_count += 1;
    user.last_issued_at = issuance.issued_at;
    user.expires_at = issuance.expires_at;
    const jwt = `eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.${'e30'.repeat(90)}.${'c2ln'.repeat(20)}`;
    const seed = `SUA${'TESTINGSEEDNOTAKEY'.repeat(4)}`.slice(0, 58);
    return {
      issuance,
      jwt,
      creds: own
        ? null
        : `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
    };
  }

  private credential(call: Call): Answer {
    const name = String(call.body.name);
    if (this.state.users.some((user) => user.name === name)) throw new Refusal(409, 'already_exists', `A user ${name} exists already.`);
    const group = this.state.groups.find((entry) => entry.id === (call.body.signing_key_group_id ?? IDS.group));
    if (!group) throw new Refusal(404, 'not_found', 'No such group.');
    const at = iso(this.state.now());
    const user = {
      id: newId('usr'),
      account_id: IDS.account,
      signing_key_group_id: group.id,
      signing_key_group_name: group.name,
      name,
      disabled: false,
      jwt_ttl: null,
      tags: [],
      state: 'active' as const,
      issuance_count: 0,
      last_issued_at: null as string | null,
      expires_at: null as string | null,
      last_connected_at: null,
      created_at: at,
      updated_at: at,
      etag: '"v1"',
    };
    const issued = this.issue(user, call);
    this.state.users.push(user);
    group.user_count += 1;
    this.log('credential.issued', `users/${name}`);
    return [201, { user, ...issued, code: null }];
  }

  private user(call: Call): Answer {
    const [, , id, part, act] = call.parts;
    const user = this.state.users.find((entry) => entry.id === id);
    if (!user) throw new Refusal(404, 'not_found', 'No such user.');
    if (part === 'issuances') return page(this.state.issuances.filter((entry) => entry.user_id === id));
    if (act === 'issue') return [201, { ...this.issue(user, call), code: null }];
    if (act === 'revoke') {
      user.state = 'revoked';
      for (const issuance of this.state.issuances) if (issuance.user_id === id) issuance.state = 'revoked';
      this.log('user.revoked', `users/${user.name}`);
    }
    return [200, user];
  }

  private log(action: string, resource: string): void {
    this.state.audit.push({
      id: newId('evt'),
      time: iso(this.state.now()),
      actor: { kind: 'user', id: 'usrp_1', name: this.state.person.name, token_id: null },
      action,
      resource: `/v1/accounts/${IDS.account}/${resource}`,
      result: 'success',
      ip: '203.0.113.7',
      user_agent: 'testing',
      request_id: newId('req'),
      details: {},
      hash: '0'.repeat(64),
    });
  }
}
