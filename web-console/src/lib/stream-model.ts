import type { Stream, StreamCreate, StreamPatch } from '../api/types';
import { durationWords, type FormUnit, formToMs, msToForm, parseDuration, toDuration } from './duration';
import { bytes, count } from './format';
import { bytesToSize, type SizeUnit, sizeToBytes } from './size';
import { nameProblem, subjectProblem } from './subject';

/** What the stream form edits. Amounts are text as typed; empty means no limit, or the default. */
export interface StreamForm {
  name: string;
  description: string;
  subjects: string[];
  retention: 'limits' | 'interest' | 'workqueue';
  maxAge: string;
  maxAgeUnit: FormUnit;
  maxBytes: string;
  maxBytesUnit: SizeUnit;
  maxMsgs: string;
  maxMsgsPerSubject: string;
  maxMsgSize: string;
  maxMsgSizeUnit: SizeUnit;
  discard: 'old' | 'new';
  dupWindow: string;
  dupWindowUnit: FormUnit;
  storage: 'file' | 'memory';
  compress: boolean;
  allowDirect: boolean;
  allowRollup: boolean;
  denyDelete: boolean;
  denyPurge: boolean;
}

export const EMPTY_STREAM: StreamForm = {
  name: '',
  description: '',
  subjects: [],
  retention: 'limits',
  maxAge: '',
  maxAgeUnit: 'days',
  maxBytes: '',
  maxBytesUnit: 'GB',
  maxMsgs: '',
  maxMsgsPerSubject: '',
  maxMsgSize: '',
  maxMsgSizeUnit: 'MB',
  discard: 'old',
  dupWindow: '2',
  dupWindowUnit: 'minutes',
  storage: 'file',
  compress: false,
  allowDirect: true,
  allowRollup: false,
  denyDelete: false,
  denyPurge: false,
};

export type StreamErrors = Partial<Record<keyof StreamForm, string>>;

function amount(text: string): number | null {
  const trimmed = text.trim().replace(/,/g, '');
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : NaN;
}

function amountProblem(text: string, what: string, whole: boolean): string | undefined {
  const value = amount(text);
  if (value === null) return undefined;
  if (Number.isNaN(value)) return `${text} is not a number.`;
  if (value <= 0) return `${what} is more than zero; leave it empty for no limit.`;
  if (whole && !Number.isInteger(value)) return `${text} is not a whole number.`;
  return undefined;
}

/** Reasons by field; an empty object means that the form can be sent. */
export function streamErrors(form: StreamForm): StreamErrors {
  const errors: StreamErrors = {};
  const note = (field: keyof StreamForm, reason: string | null | undefined) => {
    if (reason) errors[field] = reason;
  };
  note('name', nameProblem(form.name));
  if (form.subjects.length === 0) note('subjects', 'A stream needs a subject to keep: orders.> keeps all that starts with orders.');
  for (const subject of form.subjects) note('subjects', subjectProblem(subject));
  note('maxAge', amountProblem(form.maxAge, 'An age', false));
  note('maxBytes', amountProblem(form.maxBytes, 'A size', false));
  note('maxMsgs', amountProblem(form.maxMsgs, 'A number of messages', true));
  note('maxMsgsPerSubject', amountProblem(form.maxMsgsPerSubject, 'A number of messages', true));
  note('maxMsgSize', amountProblem(form.maxMsgSize, 'A size', false));
  note('dupWindow', amountProblem(form.dupWindow, 'A window', false));
  const age = amount(form.maxAge);
  const window = amount(form.dupWindow);
  if (age && window && !errors.maxAge && !errors.dupWindow) {
    if (formToMs(window, form.dupWindowUnit) > formToMs(age, form.maxAgeUnit)) {
      note('dupWindow', `${window} ${form.dupWindowUnit} is longer than the oldest age, ${age} ${form.maxAgeUnit}.`);
    }
  }
  return errors;
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
    subjects: form.subjects,
    retention: form.retention,
    storage: form.storage,
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
  const maxBytes = size(stream.max_bytes, 'GB');
  const largest = size(stream.max_msg_size, 'MB');
  return {
    name: stream.name,
    description: stream.description ?? '',
    subjects: [...stream.subjects],
    retention: stream.retention,
    maxAge: age.value,
    maxAgeUnit: age.unit,
    maxBytes: maxBytes.value,
    maxBytesUnit: maxBytes.unit,
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
  };
}

export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** Fields that differ between two forms, by the broker's names. */
export function changes(before: StreamForm, after: StreamForm): Change[] {
  const old = toConfig(before) as Record<string, unknown>;
  const next = toConfig(after) as Record<string, unknown>;
  return Object.keys({ ...old, ...next })
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
    .map((field) => ({ field, from: old[field] ?? null, to: next[field] ?? null }));
}

/** The merge patch that turns one into the other. */
export function toPatch(list: readonly Change[]): StreamPatch {
  return Object.fromEntries(list.map((change) => [change.field, change.to])) as StreamPatch;
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
      ? 'Every message is on disk before its publisher hears OK.'
      : 'Messages are held in memory and are lost when the node restarts.',
  );
  return parts.join(' ');
}
