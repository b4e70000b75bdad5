import { describe, expect, it } from 'vitest';
import { makeConsumer, makeStream } from '../../testing/seed';
import { durationText, sizeText } from './attributes';
import { block, quoted } from './hcl';
import { labelOf, render, renderAll, TERRAFORM_KINDS } from './render';

describe('HCL', () => {
  it('escapes quotes, lines and what would start a template', () => {
    expect(quoted('a "b" \\ ${c} %{d}\n')).toBe('"a \\"b\\" \\\\ $${c} %%{d}\\n"');
  });
  it('aligns neighbouring single lines only, as terraform fmt does', () => {
    expect(block('resource "a" "b"', { name: 'x', long_name: 1, limits: { a: 1, bbb: true }, z: 3 })).toBe(
      'resource "a" "b" {\n  name      = "x"\n  long_name = 1\n  limits = {\n    a   = 1\n    bbb = true\n  }\n  z = 3\n}\n',
    );
  });
  it('quotes names that are no identifiers', () => {
    expect(block('x', { m: { 'a.b/c': '1' } })).toContain('"a.b/c" = "1"');
  });
});

describe('quantities', () => {
  it('writes sizes as the shortest whole number of a unit', () => {
    expect([sizeText(10_737_418_240), sizeText(20_000_000_000), sizeText(1_048_576), sizeText(1001), sizeText(-1), sizeText(0)]).toEqual(['10GiB', '20GB', '1MiB', '1001', '-1', '0']);
  });
  it('shortens the broker’s durations without changing them', () => {
    expect([durationText('168h0m0s'), durationText('1h30m0s'), durationText('2m0s'), durationText('1h0m5s'), durationText('10s'), durationText('0s'), durationText('20m30s')]).toEqual(['168h', '1h30m', '2m', '1h5s', '10s', '0s', '20m30s']);
  });
});

describe('labels', () => {
  it('are what HCL takes', () => {
    expect([labelOf('ORDERS'), labelOf('order events!'), labelOf('9lives'), labelOf('…')]).toEqual(['orders', 'order_events', '_9lives', 'this']);
  });
});

describe('a stream', () => {
  const stream = makeStream('ORDERS', ['orders.>'], { max_age: '168h0m0s', max_bytes: 20_000_000_000, metadata: { team: 'a', '_nats.ver': '2.15' } }).stream;
  it('leaves out what the server has anyway, and what the broker wrote itself', () => {
    const { resource } = render('stream', stream);
    expect(resource).toMatch(/max_age +=\s"168h"/);
    expect(resource).toMatch(/max_bytes +=\s"20GB"/);
    expect(resource).not.toContain('_nats.ver');
    expect(resource).not.toContain('max_msgs');
    expect(resource).not.toContain('state');
  });
  it('comes with an import by account and name', () => {
    const made = render('stream', stream);
    expect(made.importBlock).toBe(`import {\n  to = penstock_stream.orders\n  id = "${stream.account_id}/ORDERS"\n}\n`);
    expect(made.importCommand).toBe(`terraform import penstock_stream.orders ${stream.account_id}/ORDERS`);
  });
  it('that mirrors another has no subjects', () => {
    const { resource } = render('stream', { ...stream, mirror: { name: 'SHOP' }, subjects: ['x'] });
    expect(resource).toContain('mirror = {');
    expect(resource).not.toContain('subjects');
  });
});

describe('a consumer', () => {
  it('has only what its kind may have', () => {
    const pull = render('consumer', makeConsumer('ORDERS', 'w', { max_waiting: 512, backoff: ['1s', '5s'], max_deliver: 5 })).resource;
    expect(pull).toContain('max_waiting');
    expect(pull).toContain('backoff');
    expect(pull).not.toContain('ack_wait');
    const push = render('consumer', makeConsumer('ORDERS', 'p', { deliver_subject: 'd', max_waiting: 0, idle_heartbeat: '5s', flow_control: true })).resource;
    expect(push).toContain('idle_heartbeat');
    expect(push).not.toContain('max_waiting');
    const none = render('consumer', makeConsumer('ORDERS', 'n', { ack_policy: 'none' })).resource;
    expect(none).not.toContain('max_ack_pending');
  });
});

describe('secrets', () => {
  it('are in no resource, even where a model carries them', () => {
    for (const kind of TERRAFORM_KINDS) {
      const { resource, importBlock } = render(kind, { id: 'x', name: 'n', secret: 'pst_sat_secret', creds: 'SUASECRET', jwt: 'eyJ0', user_public_key: 'UABC' });
      expect(resource + importBlock).not.toMatch(/pst_|SUASECRET|eyJ0/);
    }
  });
});

describe('credentials and tokens', () => {
  it('say no lifetime, which the provider would take as a wish to rotate', () => {
    const credential = render('credential', { id: 'iss_1', user_id: 'usr_1', user_name: 'app', user_public_key: 'UABC', issued_at: '2026-11-01T00:00:00Z', expires_at: '2026-12-01T00:00:00Z' });
    expect(credential.resource).toBe('resource "penstock_credential" "app" {\n  user       = "usr_1"\n  public_key = "UABC"\n}\n');
    const token = render('api_token', { id: 'tok_1', name: 'ci', owner: { id: 'sa_1' }, scopes: ['streams:*'], project_ids: [], cidrs: ['10.0.0.0/8'], state: 'active', expires_at: '2026-12-01T00:00:00Z' });
    expect(token.resource).toBe('resource "penstock_api_token" "ci" {\n  service_account = "sa_1"\n  name            = "ci"\n  scopes          = ["streams:*"]\n  cidrs           = ["10.0.0.0/8"]\n}\n');
  });
});

describe('sharing', () => {
  it('names the other side once', () => {
    expect(render('share', { id: 'shr_1', export_id: 'exp_1', target_account_id: 'acct_2', target_public_key: 'AB' }).resource).not.toContain('target_public_key');
    const taken = render('import', { id: 'imp_1', name: 'i', account_id: 'acct_2', type: 'stream', subject: 'a.>', share_id: 'shr_1', remote_account_id: 'acct_1', remote_public_key: 'AB' }).resource;
    expect(taken).toContain('share');
    expect(taken).not.toContain('remote_');
  });
});

describe('several objects', () => {
  it('refer to each other, and labels that meet get a number', () => {
    const account = { id: 'acct_1', project_id: 'proj_1', name: 'orders' };
    const made = renderAll([
      { kind: 'project', object: { id: 'proj_1', name: 'prod', environment: 'production' } },
      { kind: 'account', object: account },
      { kind: 'stream', object: { account_id: 'acct_1', name: 'ORDERS', subjects: ['o.>'] } },
      { kind: 'stream', object: { account_id: 'acct_1', name: 'orders', subjects: ['p.>'] } },
      { kind: 'consumer', object: { account_id: 'acct_1', stream_name: 'ORDERS', name: 'w' } },
    ]);
    expect(made[1]?.resource).toContain('project = penstock_project.prod.id');
    expect(made[3]?.address).toBe('penstock_stream.orders_2');
    expect(made[4]?.resource).toContain('stream  = penstock_stream.orders.name');
    expect(made[4]?.resource).toContain('account = penstock_account.orders.id');
  });
});
