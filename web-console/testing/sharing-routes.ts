import type { Export, Import, Revocation, Share } from '../src/api/types';
import { makeExport, makeImport } from './access-state';
import { type Answer, type Call, page, Refusal } from './call';
import { IDS, iso, newId } from './ids';
import type { TestingState } from './seed';

const NO_IMPACT = { valid: true, changes: [], affected: {}, warnings: [], restorable_until: null };

/** Exports, shares, offers, imports and revocations. */
export class SharingRoutes {
  constructor(
    private readonly state: TestingState,
    private readonly log: (action: string, resource: string) => void,
  ) {}

  private get access() {
    return this.state.access;
  }

  exports(call: Call): Answer {
    if (call.method === 'GET') return page(this.access.exports);
    const body = call.body as Pick<Export, 'name' | 'subject' | 'type'>;
    if (this.access.exports.some((entry) => entry.name === body.name)) throw new Refusal(409, 'already_exists', `${body.name} exists already.`);
    const made = makeExport(body, this.state.now());
    this.access.exports.push(made);
    this.log('export.created', `exports/${made.id}`);
    return [201, made];
  }

  export(call: Call): Answer {
    const [, , id, part] = call.parts;
    const found = this.access.exports.find((entry) => entry.id === id);
    if (!found) throw new Refusal(404, 'not_found', 'No such export.');
    if (part === 'shares') return this.shares(call, found);
    if (call.method === 'DELETE') {
      if (call.query.get('dry_run') === 'true') return [200, { ...NO_IMPACT, affected: { shares: found.share_count, imports: found.share_count } }];
      this.access.exports = this.access.exports.filter((entry) => entry !== found);
      return [204, null];
    }
    if (call.method === 'PATCH') Object.assign(found, call.body);
    return [200, found];
  }

  private shares(call: Call, entry: Export): Answer {
    const own = this.access.shares.filter((share) => share.export_id === entry.id && share.state !== 'revoked');
    if (call.method === 'GET') return page(own);
    const now = iso(this.state.now());
    const target = (call.body.target_account_id as string | undefined) ?? null;
    const made: Share = {
      id: newId('shr'),
      export_id: entry.id,
      account_id: IDS.account,
      target_account_id: target,
      target_public_key: String(call.body.target_public_key ?? 'ABQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6YEA'),
      state: target && call.body.auto_accept !== false ? 'accepted' : 'offered',
      expires_at: null,
      decided_at: null,
      created_at: now,
      updated_at: now,
      etag: '"v1"',
    };
    this.access.shares.push(made);
    entry.share_count += 1;
    return [201, made];
  }

  share(call: Call): Answer {
    const found = this.access.shares.find((entry) => entry.id === call.parts[2]);
    if (!found) throw new Refusal(404, 'not_found', 'No such share.');
    if (call.method === 'DELETE') {
      found.state = 'revoked';
      return [204, null];
    }
    return [200, found];
  }

  offers(call: Call): Answer {
    const [, , , , id, , act] = call.parts;
    const offer = {
      share_id: 'shr_offer',
      account_id: IDS.account,
      exporter_account_id: null,
      exporter_public_key: 'ACQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6YEA',
      name: 'tolls',
      subject: 'tolls.eu.*',
      type: 'stream',
      description: 'Tolls as they are charged',
      response_type: null,
      account_token_position: 0,
      state: this.state.access.shares.find((share) => share.id === 'shr_offer')?.state ?? 'offered',
      expires_at: null,
      import_count: 0,
      created_at: iso(this.state.now() - 7_200_000),
      updated_at: iso(this.state.now() - 7_200_000),
      etag: '"v1"',
    };
    if (!id) return page(this.access.exports.length ? [offer] : []);
    const state = act === 'accept' ? 'accepted' : 'declined';
    this.access.shares = [...this.access.shares.filter((share) => share.id !== 'shr_offer'), { ...(this.access.shares[0] as Share), id: 'shr_offer', export_id: 'exp_other', state }];
    return [200, { ...offer, state }];
  }

  imports(call: Call): Answer {
    if (call.method === 'GET') return page(this.access.imports);
    const made = makeImport(call.body as Pick<Import, 'name' | 'subject' | 'type'>, this.state.now());
    this.access.imports.push(made);
    this.log('import.created', `imports/${made.id}`);
    return [201, made];
  }

  import(call: Call): Answer {
    const found = this.access.imports.find((entry) => entry.id === call.parts[2]);
    if (!found) throw new Refusal(404, 'not_found', 'No such import.');
    if (call.method === 'DELETE') {
      this.access.imports = this.access.imports.filter((entry) => entry !== found);
      return [204, null];
    }
    if (call.method === 'PATCH') Object.assign(found, call.body);
    return [200, found];
  }

  revocations(call: Call): Answer {
    const nkey = call.parts[4];
    if (nkey) {
      this.access.revocations = this.access.revocations.filter((entry) => entry.public_key !== nkey);
      return [204, null];
    }
    if (call.method === 'GET') return page(this.access.revocations);
    const now = iso(this.state.now());
    const made: Revocation = { account_id: IDS.account, public_key: String(call.body.public_key), before: String(call.body.before ?? now), reason: String(call.body.reason ?? ''), created_at: now, valid_until: iso(this.state.now() + 86_400_000) };
    this.access.revocations.push(made);
    this.log('revocation.created', `revocations/${made.public_key}`);
    return [201, made];
  }
}
