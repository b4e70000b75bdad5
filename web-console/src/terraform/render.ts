import { body, type References } from './attributes';
import { ACCOUNT, API_TOKEN, CREDENTIAL, EXPORT, IMPORT, PROJECT, ROLE_ASSIGNMENT, SERVICE_ACCOUNT, SHARE, SIGNING_KEY_GROUP, USER, USER_REVOCATION } from './access';
import { block, Expression, quoted } from './hcl';
import { CONSUMER, KV_BUCKET, KV_ENTRY, OBJECT_BUCKET, STREAM } from './streams';
import type { Attribute } from './attributes';

type Raw = Record<string, unknown>;

interface Kind {
  attributes: readonly Attribute[];
  /** What the resource is called in the configuration, from its own words. */
  label: (object: Raw) => string;
  /** What `terraform import` takes. */
  importId: (object: Raw) => string;
  /** Brings the API's object into the provider's form. */
  shape?: (object: Raw) => Raw;
}

const name = (object: Raw) => String(object.name ?? '');
const id = (object: Raw) => String(object.id ?? '');
const path = (...parts: unknown[]) => parts.map((part) => encodeURIComponent(String(part ?? '')).replace(/%(3A|40|24|2C|3D|3B|2B|26)/gi, (code) => decodeURIComponent(code))).join('/');

/** Of two ways to name an account, the id wins: the provider takes one. */
function oneTarget(object: Raw, byId: string, byKey: string): Raw {
  return object[byId] ? { ...object, [byKey]: null } : object;
}

const KINDS = {
  project: { attributes: PROJECT, label: name, importId: id },
  account: { attributes: ACCOUNT, label: name, importId: id },
  signing_key_group: { attributes: SIGNING_KEY_GROUP, label: name, importId: id },
  user: { attributes: USER, label: name, importId: id },
  credential: {
    attributes: CREDENTIAL,
    label: (object) => String(object.user_name ?? object.id),
    importId: id,
  },
  user_revocation: {
    attributes: USER_REVOCATION,
    label: (object) => (object.public_key === '*' ? 'all_users' : String(object.public_key).slice(0, 9)),
    importId: (object) => path(object.account_id, object.public_key),
  },
  stream: { attributes: STREAM, label: name, importId: (object) => path(object.account_id, object.name), shape: (object) => (object.mirror ? { ...object, subjects: null } : object) },
  consumer: {
    attributes: CONSUMER,
    label: name,
    importId: (object) => path(object.account_id, object.stream_name, object.name),
    shape: consumerShape,
  },
  kv_bucket: { attributes: KV_BUCKET, label: name, importId: (object) => path(object.account_id, object.name) },
  kv_entry: {
    attributes: KV_ENTRY,
    label: (object) => `${object.bucket}_${object.key}`,
    importId: (object) => path(object.account_id, object.bucket, object.key),
    // The provider shows a value that is no text like this; a plan over the imported entry stays empty.
    shape: (object) => (object.encoding === 'base64' ? { ...object, value: `base64:${object.value}` } : object),
  },
  object_bucket: { attributes: OBJECT_BUCKET, label: name, importId: (object) => path(object.account_id, object.name) },
  export: { attributes: EXPORT, label: name, importId: id },
  share: { attributes: SHARE, label: (object) => `share_${String(object.target_account_id ?? object.target_public_key).slice(-6)}`, importId: id, shape: (object) => oneTarget(object, 'target_account_id', 'target_public_key') },
  import: {
    attributes: IMPORT,
    label: name,
    importId: id,
    shape: (object) =>
      object.share_id ? { ...object, remote_account_id: null, remote_public_key: null } : oneTarget(object, 'remote_account_id', 'remote_public_key'),
  },
  service_account: { attributes: SERVICE_ACCOUNT, label: name, importId: id },
  api_token: {
    attributes: API_TOKEN,
    label: name,
    importId: id,
    shape: (object) => ({ ...object, owner_id: (object.owner as Raw | undefined)?.id, disabled: object.state === 'disabled' }),
  },
  role_assignment: {
    attributes: ROLE_ASSIGNMENT,
    label: (object) => `${String((object.principal as Raw | undefined)?.name ?? 'principal').split('@')[0]}_${object.role}`,
    importId: id,
    shape: (object) => ({ ...object, principal_id: (object.principal as Raw | undefined)?.id }),
  },
} satisfies Record<string, Kind>;

export type TerraformKind = keyof typeof KINDS;

export const TERRAFORM_KINDS = Object.keys(KINDS) as TerraformKind[];

/** Fields that only one kind of consumer has, which the provider refuses on the other. */
function consumerShape(object: Raw): Raw {
  const push = Boolean(object.deliver_subject);
  const drop = push ? ['max_waiting', 'max_batch', 'max_expires', 'max_bytes', 'priority_groups', 'priority_policy', 'priority_timeout'] : ['deliver_group', 'flow_control', 'idle_heartbeat', 'rate_limit_bps'];
  const none = object.ack_policy === 'none' ? ['max_ack_pending', 'ack_wait', 'max_deliver', 'backoff'] : [];
  const backoff = Array.isArray(object.backoff) && object.backoff.length > 0 ? ['ack_wait'] : [];
  const start = object.deliver_policy === 'by_start_sequence' ? ['opt_start_time'] : object.deliver_policy === 'by_start_time' ? ['opt_start_seq'] : ['opt_start_seq', 'opt_start_time'];
  const many = Array.isArray(object.filter_subjects) && object.filter_subjects.length > 0 ? ['filter_subject'] : [];
  const gone = new Set([...drop, ...none, ...backoff, ...start, ...many]);
  return Object.fromEntries(Object.entries(object).filter(([field]) => !gone.has(field)));
}

/** A name that HCL takes: "order events" becomes order_events. */
export function labelOf(words: string): string {
  const made = words
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  return made === '' ? 'this' : /^[0-9-]/.test(made) ? `_${made}` : made;
}

export interface Rendered {
  /** Address of the resource: penstock_stream.orders. */
  address: string;
  resource: string;
  importId: string;
  importBlock: string;
  importCommand: string;
}

export interface RenderOptions {
  /** Name of the resource in the configuration, in place of the one made from its own. */
  label?: string;
  /** Expressions to write in place of ids: "acct_01…" as penstock_account.orders.id. */
  references?: References;
}

const NONE: References = new Map();

/** One object of the API as a resource of the provider, with what takes the existing one over. */
export function render(kind: TerraformKind, model: object, options: RenderOptions = {}): Rendered {
  const spec: Kind = KINDS[kind];
  const raw = model as Raw;
  const shaped = spec.shape ? spec.shape(raw) : raw;
  const label = labelOf(options.label ?? spec.label(raw));
  const address = `penstock_${kind}.${label}`;
  const importId = spec.importId(raw);
  return {
    address,
    resource: block(`resource "penstock_${kind}" ${quoted(label)}`, body(spec.attributes, shaped, options.references ?? NONE)),
    importId,
    importBlock: block('import', { to: new Expression(address), id: importId }),
    importCommand: `terraform import ${address} ${/^[A-Za-z0-9_./:@%+=-]+$/.test(importId) ? importId : `'${importId}'`}`,
  };
}

export interface Item {
  kind: TerraformKind;
  object: object;
  label?: string;
}

/** Under what other resources refer to one, and by which of its attributes. */
function knownAs(kind: TerraformKind, object: Raw): { key: string; attribute: string } {
  if (kind === 'stream' || kind === 'kv_bucket') return { key: `${kind} ${object.account_id}/${object.name}`, attribute: 'name' };
  return { key: String(object.id ?? ''), attribute: 'id' };
}

/** Several objects that refer to each other by name instead of by id; labels that meet get a number. */
export function renderAll(items: readonly Item[], outer: References = NONE): Rendered[] {
  const taken = new Set<string>();
  const labelled = items.map((item) => {
    const spec: Kind = KINDS[item.kind];
    const start = labelOf(item.label ?? spec.label(item.object as Raw));
    let label = start;
    for (let n = 2; taken.has(`${item.kind}.${label}`); n++) label = `${start}_${n}`;
    taken.add(`${item.kind}.${label}`);
    return { ...item, label };
  });
  const references = new Map(outer);
  for (const { kind, object, label } of labelled) {
    const { key, attribute } = knownAs(kind, object as Raw);
    if (key) references.set(key, `penstock_${kind}.${label}.${attribute}`);
  }
  return labelled.map(({ kind, object, label }) => render(kind, object, { label, references }));
}
