import type { ApiToken, Member, Role, ServiceAccount } from '../src/api/types';
import { assignment, makeToken, ME } from './access-state';
import { type Answer, type Call, page, Refusal } from './call';
import { IDS, iso, newId } from './ids';
import type { TestingState } from './seed';

const ALL_PERMISSIONS = ['organization', 'members', 'service_accounts', 'projects', 'accounts', 'sharing', 'signing_keys', 'credentials', 'streams', 'consumers', 'kv', 'objects', 'messages'].flatMap((kind) => [`${kind}:read`, `${kind}:write`]).concat('audit:read');

/** People, roles, service accounts and tokens of the organisation. */
export class OrgRoutes {
  constructor(
    private readonly state: TestingState,
    private readonly log: (action: string, resource: string) => void,
  ) {}

  private get access() {
    return this.state.access;
  }

  principal(): Answer {
    return [
      200,
      {
        kind: 'user',
        id: ME,
        name: this.state.person.name,
        email: this.state.person.email,
        token: null,
        organizations: [{ id: IDS.org, name: this.state.orgName, role: this.access.permissions ? 'viewer' : 'owner', permissions: this.access.permissions ?? ALL_PERMISSIONS, project_permissions: {} }],
      },
    ];
  }

  /** Under /v1/orgs/{org}; undefined where another part answers. */
  org(call: Call): Answer | undefined {
    const [, , , part, id] = call.parts;
    switch (part) {
      case 'members':
        return id ? this.member(call, id) : page(this.access.members);
      case 'invitations':
        return call.method === 'POST' ? this.invite(call) : page(this.access.invitations);
      case 'role-assignments':
        return call.method === 'POST' ? this.give(call) : page(this.access.assignments);
      case 'service-accounts':
        return call.method === 'POST' ? this.createServiceAccount(call) : page(this.access.serviceAccounts);
      case 'tokens':
        return page(this.access.tokens);
      default:
        return undefined;
    }
  }

  private owners(): number {
    return this.access.members.filter((member) => member.role === 'owner').length;
  }

  private member(call: Call, id: string): Answer {
    const member = this.access.members.find((entry) => entry.id === id);
    if (!member) throw new Refusal(404, 'not_found', 'No such member.');
    if (call.method === 'GET') return [200, member];
    if (member.role === 'owner' && this.owners() === 1) throw new Refusal(409, 'last_owner', 'An organisation keeps an owner.');
    if (call.method === 'DELETE') {
      this.access.members = this.access.members.filter((entry) => entry !== member);
      this.log('member.removed', `members/${id}`);
      return [204, null];
    }
    member.role = call.body.role as Role;
    this.log('member.updated', `members/${id}`);
    return [200, member];
  }

  private invite(call: Call): Answer {
    const email = String(call.body.email);
    if (this.access.members.some((member: Member) => member.email === email)) throw new Refusal(409, 'already_exists', `${email} is a member already.`);
    const now = this.state.now();
    const made = {
      id: newId('inv'),
      organization_id: IDS.org,
      project_id: (call.body.project_id as string | undefined) ?? null,
      email,
      role: call.body.role as Role,
      state: 'pending' as const,
      invited_by: { kind: 'user' as const, id: ME, name: this.state.person.email },
      created_at: iso(now),
      expires_at: iso(now + 7 * 86_400_000),
      last_sent_at: iso(now),
      accepted_at: null,
      etag: '"v1"',
    };
    this.access.invitations.unshift(made);
    this.log('invitation.created', `invitations/${made.id}`);
    return [201, made];
  }

  invitation(call: Call): Answer {
    const [, , id, , act] = call.parts;
    if (id === 'preview') {
      if (call.body.token !== 'a-token-from-the-mail') throw new Refusal(404, 'not_found', 'This invitation does not exist any more.');
      return [200, { organization_name: this.state.orgName, email: this.state.person.email, role: 'developer', invited_by: 'Ruben Aalto', expires_at: iso(this.state.now() + 6 * 86_400_000) }];
    }
    if (id === 'accept') return [200, { organization_id: IDS.org, organization_name: this.state.orgName, role: 'developer' }];
    const found = this.access.invitations.find((entry) => entry.id === id);
    if (!found) throw new Refusal(404, 'not_found', 'No such invitation.');
    if (act === 'resend') found.last_sent_at = iso(this.state.now());
    if (call.method === 'DELETE') {
      found.state = 'revoked';
      return [204, null];
    }
    return [200, found];
  }

  private give(call: Call): Answer {
    const id = String(call.body.principal_id);
    const person = this.access.members.find((member) => member.id === id);
    const account = this.access.serviceAccounts.find((entry) => entry.id === id);
    if (!person && !account) throw new Refusal(404, 'not_found', 'No such principal.');
    const principal = person ? { kind: 'user' as const, id, name: person.email } : { kind: 'service_account' as const, id, name: account?.name ?? '' };
    const made = assignment(principal, call.body.role as Role, (call.body.project_id as string | undefined) ?? null, this.state.now());
    this.access.assignments.push(made);
    this.log('role.given', `role-assignments/${made.id}`);
    return [201, made];
  }

  roleAssignment(call: Call): Answer {
    this.access.assignments = this.access.assignments.filter((entry) => entry.id !== call.parts[2]);
    return [204, null];
  }

  private createServiceAccount(call: Call): Answer {
    const name = String(call.body.name);
    if (this.access.serviceAccounts.some((entry) => entry.name === name)) throw new Refusal(409, 'already_exists', `${name} exists already.`);
    const at = iso(this.state.now());
    const made: ServiceAccount = { id: newId('sa'), organization_id: IDS.org, project_id: (call.body.project_id as string | undefined) ?? null, name, description: String(call.body.description ?? ''), disabled: false, token_count: 0, created_at: at, created_by: ME, updated_at: at, etag: '"v1"' };
    this.access.serviceAccounts.push(made);
    this.log('service_account.created', `service-accounts/${made.id}`);
    return [201, made];
  }

  serviceAccount(call: Call): Answer {
    const [, , id, part] = call.parts;
    const found = this.access.serviceAccounts.find((entry) => entry.id === id);
    if (!found) throw new Refusal(404, 'not_found', 'No such service account.');
    if (part === 'tokens') {
      if (call.method === 'GET') return page(this.access.tokens.filter((token) => token.owner.id === id));
      found.token_count += 1;
      return this.makeToken(call, { kind: 'service_account', id: found.id, name: found.name });
    }
    if (call.method === 'DELETE') {
      this.access.serviceAccounts = this.access.serviceAccounts.filter((entry) => entry !== found);
      this.access.tokens = this.access.tokens.filter((token) => token.owner.id !== id);
      return [204, null];
    }
    if (call.method === 'PATCH') Object.assign(found, call.body);
    return [200, found];
  }

  private makeToken(call: Call, owner: ApiToken['owner']): Answer {
    if (!call.headers.get('idempotency-key')) throw new Refusal(400, 'idempotency_key_required', 'Send Idempotency-Key.');
    const token = makeToken(owner, String(call.body.name), { scopes: call.body.scopes as ApiToken['scopes'], project_ids: (call.body.project_ids as string[] | undefined) ?? [], cidrs: (call.body.cidrs as string[] | undefined) ?? [] }, this.state.now());
    this.access.tokens.push(token);
    this.log('token.created', `tokens/${token.id}`);
    return [201, { token, secret: `${token.prefix}TESTINGSECRETNOTATOKEN0000000000000`, code: null }];
  }

  token(call: Call, id: string | undefined, act: string | undefined): Answer {
    const found = this.access.tokens.find((entry) => entry.id === id);
    if (!found) throw new Refusal(404, 'not_found', 'No such token.');
    if (act === 'rotate') {
      found.previous_valid_until = call.body.overlap ? iso(this.state.now() + 86_400_000) : null;
      return [201, { token: found, secret: `${found.prefix}TESTINGROTATEDNOTATOKEN000000000000`, code: null }];
    }
    if (call.method === 'DELETE') {
      found.state = 'revoked';
      return [204, null];
    }
    return [200, found];
  }

  myTokens(call: Call): Answer {
    const [, , , id, , act] = call.parts;
    if (id) return this.token(call, id, act);
    const own = { kind: 'user' as const, id: ME, name: this.state.person.email };
    return call.method === 'POST' ? this.makeToken(call, own) : page(this.access.tokens.filter((token) => token.owner.id === ME));
  }
}
