import type { Stream, StreamCreate, StreamPatch } from '../api/types';
import { amount } from './amount';
import { type Change, changesOf, toPatch as patchOf } from './changes';
import { durationWords, type FormUnit, formToMs, msToForm, parseDuration, toDuration } from './duration';
import { bytes, count } from './format';
import { pairsFrom, pairsText } from './pairs';
import { bytesToSize, type SizeUnit, sizeToBytes } from './size';
import { EMPTY_STREAM, type SourceForm, type StreamForm } from './stream-form';

export { EMPTY_STREAM, type StreamErrors, streamErrors, type StreamForm } from './stream-form';
export type { Change } from './changes';

type Source = NonNullable<StreamCreate['mirror']>;

function toSource(form: SourceForm): Source {
  const transforms = form.transforms
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words.length === 2)
    .map(([src = '', dest = '']) => ({ src, dest }));
  return {
    name: form.name,
    ...(form.startSeq ? { opt_start_seq: form.startSeq.trim() } : {}),
    ...(form.startTime ? { opt_start_time: form.startTime.trim() } : {}),
    ...(form.filter ? { filter_subject: form.filter } : {}),
    ...(transforms.length ? { subject_transforms: transforms } : {}),
    ...(form.externalApi ? { external: { api: form.externalApi, ...(form.externalDeliver ? { deliver: form.externalDeliver } : {}) } } : {}),
  };
}

function fromSource(source: Source): SourceForm {
  return {
    name: source.name,
    startSeq: source.opt_start_seq && source.opt_start_seq !== '0' ? source.opt_start_seq : '',
    startTime: source.opt_start_time ?? '',
    filter: source.filter_subject ?? '',
    transforms: (source.subject_transforms ?? []).map((entry) => `${entry.src} ${entry.dest}`).join('\n'),
    externalApi: source.external?.api ?? '',
    externalDeliver: source.external?.deliver ?? '',
  };
}

function extras(form: StreamForm): Partial<StreamCreate> {
  const inactive = amount(form.limitInactive);
  const ackPending = amount(form.limitAckPending);
  const marker = amount(form.markerTtl);
  const limits = {
    ...(inactive === null ? {} : { inactive_threshold: toDuration(formToMs(inactive, form.limitInactiveUnit)) }),
    ...(ackPending === null ? {} : { max_ack_pending: ackPending }),
  };
  const placement = {
    ...(form.placementCluster ? { cluster: form.placementCluster } : {}),
    ...(form.placementTags.length ? { tags: form.placementTags } : {}),
  };
  const metadata = pairsFrom(form.metadata);
  const given = <T extends object>(field: string, value: T) => (Object.keys(value).length ? { [field]: value } : {});
  const set = (field: string, value: boolean) => (value ? { [field]: true } : {});
  return {
    ...given('metadata', metadata),
    ...(form.mirror ? { mirror: toSource(form.mirror) } : {}),
    ...(form.sources.length ? { sources: form.sources.map(toSource) } : {}),
    ...(form.transformDest ? { subject_transform: { src: form.transformSrc, dest: form.transformDest } } : {}),
    ...(form.maxConsumers.trim() ? { max_consumers: amount(form.maxConsumers) ?? -1 } : {}),
    ...set('discard_new_per_subject', form.discardPerSubject),
    ...set('allow_msg_ttl', form.allowMsgTtl),
    ...(marker === null ? {} : { subject_delete_marker_ttl: toDuration(formToMs(marker, form.markerTtlUnit)) }),
    ...given('placement', placement),
    ...(form.persist === 'async' ? { persist_mode: 'async' as const } : {}),
    ...(form.firstSeq.trim() ? { first_seq: form.firstSeq.trim() } : {}),
    ...set('no_ack', form.noAck),
    ...set('mirror_direct', form.mirrorDirect),
    ...set('allow_atomic', form.allowAtomic),
    ...set('allow_batched', form.allowBatched),
    ...set('allow_msg_counter', form.allowCounter),
    ...set('allow_msg_schedules', form.allowSchedules),
    ...(form.republishDest
      ? { republish: { ...(form.republishSrc ? { src: form.republishSrc } : {}), dest: form.republishDest, ...(form.republishHeaders ? { headers_only: true } : {}) } }
      : {}),
    ...set('sealed', form.sealed),
    ...given('consumer_limits', limits),
  };
}

/** The configuration of the whole form, with the broker's words for "no limit". */
export function toConfig(form: StreamForm): StreamCreate {
  const age = amount(form.maxAge);
  const size = amount(form.maxBytes);
  const messages = amount(form.maxMsgs);
  const perSubject = amount(form.maxMsgsPerSubject);
  const largest = amount(form.maxMsgSize);
  const window = amount(form.dupWindow);
  return {
    name: form.name,
    description: form.description,
    ...(form.mirror ? {} : { subjects: form.subjects }),
    retention: form.retention,
    storage: form.storage,
    num_replicas: Number(form.replicas),
    max_age: age === null ? '0s' : toDuration(formToMs(age, form.maxAgeUnit)),
    max_bytes: size === null ? -1 : sizeToBytes(size, form.maxBytesUnit),
    max_msgs: messages ?? -1,
    max_msgs_per_subject: perSubject ?? -1,
    max_msg_size: largest === null ? -1 : sizeToBytes(largest, form.maxMsgSizeUnit),
    discard: form.discard,
    ...(window === null ? {} : { duplicate_window: toDuration(formToMs(window, form.dupWindowUnit)) }),
    compression: form.compress ? 's2' : 'none',
    allow_direct: form.allowDirect,
    allow_rollup_hdrs: form.allowRollup,
    deny_delete: form.denyDelete,
    deny_purge: form.denyPurge,
    deletion_protection: form.protect,
    ...extras(form),
  };
}

/** The configuration without what equals the broker's default, for code a person reads. */
export function briefConfig(form: StreamForm): StreamCreate {
  const whole = toConfig(form);
  const plain = toConfig({ ...EMPTY_STREAM, allowDirect: false });
  const brief: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(whole)) {
    const always = ['name', 'subjects', 'retention', 'storage', 'discard'].includes(field);
    if (always || JSON.stringify(value) !== JSON.stringify(plain[field as keyof StreamCreate])) brief[field] = value;
  }
  return brief as StreamCreate;
}

/** What a person wrote; the broker's own entries are not theirs to change. */
function ownMetadata(map: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !key.startsWith('_nats.')));
}

export function fromStream(stream: Stream): StreamForm {
  const limit = (value: number | undefined) => (value === undefined || value < 0 ? '' : String(value));
  const span = (text: string | undefined, fallback: FormUnit) => {
    const ms = parseDuration(text) ?? 0;
    if (ms === 0) return { value: '', unit: fallback };
    const found = msToForm(ms);
    return { value: String(found.value), unit: found.unit };
  };
  const size = (value: number, fallback: SizeUnit) => {
    if (value < 0) return { value: '', unit: fallback };
    const found = bytesToSize(value);
    return { value: String(found.value), unit: found.unit };
  };
  const age = span(stream.max_age, 'days');
  const window = span(stream.duplicate_window, 'minutes');
  const marker = span(stream.subject_delete_marker_ttl, 'minutes');
  const inactive = span(stream.consumer_limits?.inactive_threshold, 'minutes');
  const maxBytes = size(stream.max_bytes, 'GB');
  const largest = size(stream.max_msg_size, 'MB');
  return {
    name: stream.name,
    description: stream.description ?? '',
    metadata: pairsText(ownMetadata(stream.metadata)),
    subjects: stream.mirror ? [] : [...stream.subjects],
    mirror: stream.mirror ? fromSource(stream.mirror) : null,
    sources: (stream.sources ?? []).map(fromSource),
    transformSrc: stream.subject_transform?.src ?? '',
    transformDest: stream.subject_transform?.dest ?? '',
    retention: stream.retention,
    maxAge: age.value,
    maxAgeUnit: age.unit,
    maxBytes: maxBytes.value,
    maxBytesUnit: maxBytes.unit,
    maxConsumers: limit(stream.max_consumers),
    maxMsgs: limit(stream.max_msgs),
    maxMsgsPerSubject: limit(stream.max_msgs_per_subject),
    maxMsgSize: largest.value,
    maxMsgSizeUnit: largest.unit,
    discard: stream.discard,
    dupWindow: window.value,
    dupWindowUnit: window.unit,
    storage: stream.storage,
    compress: stream.compression === 's2',
    allowDirect: stream.allow_direct ?? false,
    allowRollup: stream.allow_rollup_hdrs ?? false,
    denyDelete: stream.deny_delete ?? false,
    denyPurge: stream.deny_purge ?? false,
    protect: stream.deletion_protection,
    discardPerSubject: stream.discard_new_per_subject ?? false,
    allowMsgTtl: stream.allow_msg_ttl ?? false,
    markerTtl: marker.value,
    markerTtlUnit: marker.unit,
    replicas: stream.num_replicas >= 5 ? '5' : stream.num_replicas >= 3 ? '3' : '1',
    placementCluster: stream.placement?.cluster ?? '',
    placementTags: [...(stream.placement?.tags ?? [])],
    persist: stream.persist_mode === 'async' ? 'async' : 'default',
    firstSeq: stream.first_seq && !['0', '1'].includes(stream.first_seq) ? stream.first_seq : '',
    noAck: stream.no_ack ?? false,
    mirrorDirect: stream.mirror_direct ?? false,
    allowAtomic: stream.allow_atomic ?? false,
    allowBatched: stream.allow_batched ?? false,
    allowCounter: stream.allow_msg_counter ?? false,
    allowSchedules: stream.allow_msg_schedules ?? false,
    republishSrc: stream.republish?.src ?? '',
    republishDest: stream.republish?.dest ?? '',
    republishHeaders: stream.republish?.headers_only ?? false,
    sealed: stream.sealed ?? false,
    limitAckPending: stream.consumer_limits?.max_ack_pending ? String(stream.consumer_limits.max_ack_pending) : '',
    limitInactive: inactive.value,
    limitInactiveUnit: inactive.unit,
  };
}

/** Fields that differ between two forms, by the broker's names. */
export function changes(before: StreamForm, after: StreamForm): Change[] {
  return changesOf(toConfig(before), toConfig(after));
}

/** The merge patch that turns one into the other. */
export function toPatch(list: readonly Change[]): StreamPatch {
  return patchOf(list) as StreamPatch;
}

/** Changes that cannot be taken back. */
export const ONE_WAY: Record<string, string> = {
  sealed: 'Nothing is added to or taken from the stream any more, and it cannot be changed back.',
  deny_delete: 'Single messages cannot be deleted any more.',
  deny_purge: 'The stream cannot be purged any more.',
};

export function oneWay(list: readonly Change[]): Change[] {
  return list.filter((change) => change.field in ONE_WAY && change.to === true);
}

/** What the stream will do, in one or two plain sentences. */
export function streamSentence(form: StreamForm): string {
  const age = amount(form.maxAge);
  const size = amount(form.maxBytes);
  const messages = amount(form.maxMsgs);
  const bounds = [
    age ? durationWords(formToMs(age, form.maxAgeUnit)) : null,
    size ? bytes(sizeToBytes(size, form.maxBytesUnit)) : null,
    messages ? `${count(messages)} messages` : null,
  ].filter((bound) => bound !== null);
  const list = bounds.length > 1 ? `${bounds.slice(0, -1).join(', ')} or ${bounds[bounds.length - 1]}` : bounds[0];
  const least = bounds.length > 1 ? ', whichever is less' : '';
  const parts: string[] = [];
  if (form.mirror) parts.push(`Follows ${form.mirror.name || 'another stream'} and takes nothing from publishers.`);
  else if (form.sources.length) parts.push(`Also takes what ${form.sources.map((source) => source.name || 'another stream').join(' and ')} has.`);
  if (form.retention === 'limits') {
    parts.push(list ? `Keeps the last ${list}${least}.` : 'Keeps every message until the account is full or you purge it.');
  } else if (form.retention === 'interest') {
    parts.push(`Keeps a message until every consumer that wants it has acknowledged it${list ? `, at most ${list}${least}` : ''}.`);
    parts.push('With no consumer, nothing is kept.');
  } else {
    parts.push(`Keeps a message until one worker acknowledges it${list ? `, at most ${list}${least}` : ''}.`);
  }
  if (size || messages) {
    parts.push(form.discard === 'old' ? 'When full, the oldest go first.' : 'When full, new messages are refused until there is room.');
  }
  parts.push(
    form.storage === 'file'
      ? form.replicas === '1'
        ? 'Every message is on disk before its publisher hears OK.'
        : `Every message is with a majority of ${form.replicas} replicas before its publisher hears OK.`
      : form.replicas === '1'
        ? 'Messages are held in memory and are lost when the node restarts.'
        : `Messages are held in the memory of ${form.replicas} nodes and are lost when a majority of them stops at once.`,
  );
  if (form.noAck) parts.push('Publishers get no answer.');
  if (form.sealed) parts.push('Sealed: nothing changes in it any more.');
  return parts.join(' ');
}
