import { Expression, type Hcl } from './hcl';

/** How an attribute of the provider is made from a field of the API. */
export interface Attribute {
  name: string;
  /** Field in the API's JSON; without it, the same as the name. */
  field?: string;
  type: 'text' | 'flag' | 'number' | 'sequence' | 'size' | 'duration' | 'time' | 'list' | 'map' | 'object' | 'objects' | 'reference';
  /** Always written; the others only where they differ from the server's default. */
  required?: boolean;
  /** What the server has where nothing is said. Empty lists, maps and texts are left out as well. */
  default?: string | number | boolean;
  attributes?: readonly Attribute[];
  /** Under what another resource is known that this one refers to; without it, under the value itself. */
  key?: (object: Record<string, unknown>) => string;
}

type Raw = Record<string, unknown>;

const UNITS: readonly [string, bigint][] = [
  ['TiB', 1n << 40n],
  ['GiB', 1n << 30n],
  ['MiB', 1n << 20n],
  ['KiB', 1n << 10n],
  ['TB', 1_000_000_000_000n],
  ['GB', 1_000_000_000n],
  ['MB', 1_000_000n],
  ['KB', 1_000n],
];

/** Bytes as the shortest whole number of a unit; the provider reads powers of 1024 and of 1000. */
export function sizeText(bytes: number): string {
  if (bytes <= 0) return String(bytes);
  const whole = BigInt(bytes);
  const fitting = UNITS.filter(([, size]) => whole % size === 0n).sort(([, a], [, b]) => (a > b ? -1 : 1));
  const [best] = fitting;
  return best ? `${whole / best[1]}${best[0]}` : String(bytes);
}

/** "168h0m0s" as people write it: "168h". */
export function durationText(text: string): string {
  const short = text.replace(/(\d[hm])((?:0[ms])+)$/, '$1').replace(/(h)0m(?=\d)/, '$1');
  return short === '' ? text : short;
}

function empty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0) || (typeof value === 'object' && Object.keys(value as object).length === 0);
}

function same(attribute: Attribute, value: unknown): boolean {
  if (attribute.default === undefined) return false;
  if (attribute.type === 'duration') return durationText(String(value)) === durationText(String(attribute.default));
  return value === attribute.default;
}

export type References = ReadonlyMap<string, string>;

function one(attribute: Attribute, value: unknown, references: References, object: Raw): Hcl | null {
  switch (attribute.type) {
    case 'flag':
      return Boolean(value);
    case 'number':
      return Number(value);
    case 'sequence':
      return BigInt(String(value));
    case 'size':
      return sizeText(Number(value));
    case 'duration':
      return durationText(String(value));
    case 'list':
      return (value as unknown[]).map(String);
    case 'map':
      return Object.fromEntries(Object.entries(value as Raw).filter(([key]) => !key.startsWith('_nats.')).map(([key, item]) => [key, String(item)]));
    case 'object':
      return body(attribute.attributes ?? [], value as Raw, references);
    case 'objects':
      return (value as Raw[]).map((item) => body(attribute.attributes ?? [], item, references));
    case 'reference': {
      const known = references.get(attribute.key ? attribute.key(object) : String(value));
      return known ? new Expression(known) : String(value);
    }
    default:
      return String(value);
  }
}

/** The attributes of an object of the API, without those that are as the server has them anyway. */
export function body(attributes: readonly Attribute[], object: Raw, references: References): Record<string, Hcl> {
  const out: Record<string, Hcl> = {};
  for (const attribute of attributes) {
    const raw = object[attribute.field ?? attribute.name];
    if (!attribute.required && (empty(raw) || same(attribute, raw))) continue;
    if (raw === undefined || raw === null) continue;
    const made = one(attribute, raw, references, object);
    if (made === null || (!attribute.required && empty(made))) continue;
    out[attribute.name] = made;
  }
  return out;
}

// Short forms for the tables.
export const text = (name: string, more: Partial<Attribute> = {}): Attribute => ({ name, type: 'text', ...more });
export const needed = (name: string, more: Partial<Attribute> = {}): Attribute => ({ name, type: 'text', required: true, ...more });
export const flag = (name: string, standard: boolean | null = false): Attribute => ({ name, type: 'flag', ...(standard === null ? {} : { default: standard }) });
export const number = (name: string, standard?: number): Attribute => ({ name, type: 'number', ...(standard === undefined ? {} : { default: standard }) });
export const size = (name: string, field = name, standard?: number): Attribute => ({ name, field, type: 'size', ...(standard === undefined ? {} : { default: standard }) });
export const duration = (name: string, standard?: string): Attribute => ({ name, type: 'duration', ...(standard === undefined ? {} : { default: standard }) });
export const list = (name: string, more: Partial<Attribute> = {}): Attribute => ({ name, type: 'list', ...more });
export const reference = (name: string, field: string, required = true): Attribute => ({ name, field, type: 'reference', required });
export const object = (name: string, attributes: readonly Attribute[], more: Partial<Attribute> = {}): Attribute => ({ name, type: 'object', attributes, ...more });
export const objects = (name: string, attributes: readonly Attribute[], more: Partial<Attribute> = {}): Attribute => ({ name, type: 'objects', attributes, ...more });
export const metadata: Attribute = { name: 'metadata', type: 'map' };
export const description: Attribute = text('description');
