import type { KvBucket, KvBucketCreate, ObjectBucket, ObjectBucketCreate } from '../api/types';
import { amount, amountProblem } from './amount';
import { shell } from './code-tabs';
import { durationWords, type FormUnit, formToMs, msToForm, parseDuration, toDuration } from './duration';
import { bytes } from './format';
import { pairsFrom, pairsProblem, pairsText } from './pairs';
import { bytesToSize, type SizeUnit, sizeToBytes } from './size';

export type BucketKind = 'kv' | 'object';

/** What the form of a KV or object bucket edits; empty means no limit, or the default. */
export interface BucketForm {
  kind: BucketKind;
  name: string;
  description: string;
  metadata: string;
  history: string;
  ttl: string;
  ttlUnit: FormUnit;
  maxValue: string;
  maxValueUnit: SizeUnit;
  maxBytes: string;
  maxBytesUnit: SizeUnit;
  markerTtl: string;
  markerTtlUnit: FormUnit;
  storage: 'file' | 'memory';
  replicas: '1' | '3' | '5';
  compress: boolean;
  placementCluster: string;
  placementTags: string[];
  mirror: string;
  protect: boolean;
}

export function emptyBucket(kind: BucketKind, protect: boolean): BucketForm {
  return {
    kind,
    name: '',
    description: '',
    metadata: '',
    history: '1',
    ttl: '',
    ttlUnit: 'days',
    maxValue: '',
    maxValueUnit: 'KB',
    maxBytes: '',
    maxBytesUnit: 'GB',
    markerTtl: '',
    markerTtlUnit: 'minutes',
    storage: 'file',
    replicas: '1',
    compress: false,
    placementCluster: '',
    placementTags: [],
    mirror: '',
    protect,
  };
}

export type BucketErrors = Partial<Record<keyof BucketForm, string>>;

export function bucketErrors(form: BucketForm): BucketErrors {
  const errors: BucketErrors = {};
  const note = (field: keyof BucketForm, reason: string | undefined | null) => {
    if (reason) errors[field] = reason;
  };
  note('name', form.name === '' ? 'A name is needed.' : /^[A-Za-z0-9_-]{1,251}$/.test(form.name) ? null : `${form.name} holds a character other than letters, digits, _ and -.`);
  note('metadata', pairsProblem(form.metadata));
  const history = amount(form.history);
  if (form.kind === 'kv' && !(history !== null && Number.isInteger(history) && history >= 1 && history <= 64)) note('history', 'A whole number from 1 to 64.');
  note('ttl', amountProblem(form.ttl, 'A time', false));
  note('maxValue', amountProblem(form.maxValue, 'A size', false));
  note('maxBytes', amountProblem(form.maxBytes, 'A size', false));
  note('markerTtl', amountProblem(form.markerTtl, 'A time', false));
  return errors;
}

export function toBucket(form: BucketForm): KvBucketCreate | ObjectBucketCreate {
  const ttl = amount(form.ttl);
  const largest = amount(form.maxValue);
  const size = amount(form.maxBytes);
  const marker = amount(form.markerTtl);
  const metadata = pairsFrom(form.metadata);
  const placement = {
    ...(form.placementCluster ? { cluster: form.placementCluster } : {}),
    ...(form.placementTags.length ? { tags: form.placementTags } : {}),
  };
  return {
    name: form.name,
    description: form.description,
    storage: form.storage,
    num_replicas: Number(form.replicas),
    max_bytes: size === null ? -1 : sizeToBytes(size, form.maxBytesUnit),
    ttl: ttl === null ? '0s' : toDuration(formToMs(ttl, form.ttlUnit)),
    compression: form.compress,
    ...(Object.keys(placement).length ? { placement } : {}),
    ...(Object.keys(metadata).length ? { metadata } : {}),
    deletion_protection: form.protect,
    ...(form.kind === 'kv'
      ? {
          history: amount(form.history) ?? 1,
          max_value_size: largest === null ? -1 : sizeToBytes(largest, form.maxValueUnit),
          ...(marker === null ? {} : { limit_marker_ttl: toDuration(formToMs(marker, form.markerTtlUnit)) }),
          ...(form.mirror ? { mirror: { name: form.mirror } } : {}),
        }
      : {}),
  };
}

export function fromBucket(kind: BucketKind, bucket: KvBucket | ObjectBucket): BucketForm {
  const span = (text: string | undefined, unit: FormUnit) => {
    const ms = parseDuration(text) ?? 0;
    if (ms <= 0) return { value: '', unit };
    const found = msToForm(ms);
    return { value: String(found.value), unit: found.unit };
  };
  const size = (value: number, unit: SizeUnit) => {
    if (value < 0) return { value: '', unit };
    const found = bytesToSize(value);
    return { value: String(found.value), unit: found.unit };
  };
  const kv = 'history' in bucket ? bucket : null;
  const ttl = span(bucket.ttl, 'days');
  const marker = span(kv?.limit_marker_ttl, 'minutes');
  const largest = size(kv?.max_value_size ?? -1, 'KB');
  const whole = size(bucket.max_bytes, 'GB');
  return {
    kind,
    name: bucket.name,
    description: bucket.description,
    metadata: pairsText(Object.fromEntries(Object.entries(bucket.metadata as Record<string, string>).filter(([key]) => !key.startsWith('_nats.')))),
    history: String(kv?.history ?? 1),
    ttl: ttl.value,
    ttlUnit: ttl.unit,
    maxValue: largest.value,
    maxValueUnit: largest.unit,
    maxBytes: whole.value,
    maxBytesUnit: whole.unit,
    markerTtl: marker.value,
    markerTtlUnit: marker.unit,
    storage: bucket.storage,
    replicas: bucket.num_replicas >= 5 ? '5' : bucket.num_replicas >= 3 ? '3' : '1',
    compress: bucket.compression,
    placementCluster: bucket.placement?.cluster ?? '',
    placementTags: [...(bucket.placement?.tags ?? [])],
    mirror: kv?.mirror?.name ?? '',
    protect: bucket.deletion_protection,
  };
}

export function bucketCommand(form: BucketForm): string {
  const size = amount(form.maxBytes);
  const ttl = amount(form.ttl);
  const largest = amount(form.maxValue);
  const marker = amount(form.markerTtl);
  const flags = [
    `nats ${form.kind} add ${shell(form.name || 'NAME')}`,
    form.description ? `--description=${shell(form.description)}` : null,
    form.kind === 'kv' ? `--history=${form.history || 1}` : null,
    ttl ? `--ttl=${toDuration(formToMs(ttl, form.ttlUnit))}` : null,
    `--storage=${form.storage}`,
    `--replicas=${form.replicas}`,
    form.kind === 'kv' && largest ? `--max-value-size=${sizeToBytes(largest, form.maxValueUnit)}` : null,
    size ? `--max-bucket-size=${sizeToBytes(size, form.maxBytesUnit)}` : null,
    form.compress ? '--compress' : null,
    form.kind === 'kv' && marker ? `--marker-ttl=${toDuration(formToMs(marker, form.markerTtlUnit))}` : null,
    form.kind === 'kv' && form.mirror ? `--mirror=${shell(form.mirror)}` : null,
    form.placementCluster ? `--cluster=${shell(form.placementCluster)}` : null,
    ...form.placementTags.map((tag) => `--tags=${shell(tag)}`),
  ];
  return flags.filter((flag) => flag !== null).join(' \\\n  ');
}

export function bucketSentence(form: BucketForm): string {
  const ttl = amount(form.ttl);
  const size = amount(form.maxBytes);
  const history = amount(form.history) ?? 1;
  const parts: string[] = [];
  if (form.kind === 'kv') parts.push(history > 1 ? `Keeps the last ${history} values of each key${ttl ? ` for ${durationWords(formToMs(ttl, form.ttlUnit))}` : ''}.` : `Keeps the newest value of each key${ttl ? ` for ${durationWords(formToMs(ttl, form.ttlUnit))}` : ''}.`);
  else parts.push(`Keeps objects of any size, in pieces${ttl ? `, for ${durationWords(formToMs(ttl, form.ttlUnit))}` : ''}.`);
  if (form.mirror) parts.push(`Follows bucket ${form.mirror} and takes no writes of its own.`);
  if (size) parts.push(`Refuses writes once it holds ${bytes(sizeToBytes(size, form.maxBytesUnit))}.`);
  parts.push(
    form.storage === 'memory'
      ? 'It is held in memory and lost when its nodes restart.'
      : form.replicas === '1'
        ? 'On one node: while it is down, the bucket waits.'
        : `On ${form.replicas} nodes: any ${(Number(form.replicas) - 1) / 2} may be lost at once.`,
  );
  return parts.join(' ');
}
