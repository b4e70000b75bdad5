import type { Consumer, ConsumerCreate } from '../api/types';
import { amount, amountProblem, sequenceProblem, timeProblem, wholeProblem } from './amount';
import { durationWords, type FormUnit, formToMs, msToForm, parseDuration, toDuration } from './duration';
import { count } from './format';
import { pairsFrom, pairsProblem, pairsText } from './pairs';
import { nameProblem, subjectProblem } from './subject';

/** What the consumer form edits; amounts are text as typed, empty means the default. */
export interface ConsumerForm {
  name: string;
  description: string;
  metadata: string;
  type: 'pull' | 'push';
  filters: string[];
  deliver: 'all' | 'last' | 'new' | 'by_start_sequence' | 'by_start_time' | 'last_per_subject';
  startSeq: string;
  startTime: string;
  ack: Consumer['ack_policy'];
  ackWait: string;
  ackWaitUnit: FormUnit;
  /** Durations, parted by commas or spaces: "1s 5s 1m". */
  backoff: string;
  maxDeliver: string;
  maxAckPending: string;
  sample: string;
  replay: 'instant' | 'original';
  headersOnly: boolean;
  inactive: string;
  inactiveUnit: FormUnit;
  replicas: '0' | '1' | '3' | '5';
  memory: boolean;
  maxWaiting: string;
  maxBatch: string;
  maxBytes: string;
  maxExpires: string;
  maxExpiresUnit: FormUnit;
  priority: 'none' | 'overflow' | 'pinned_client' | 'prioritized';
  groups: string[];
  priorityTimeout: string;
  priorityTimeoutUnit: FormUnit;
  deliverSubject: string;
  deliverGroup: string;
  flowControl: boolean;
  heartbeat: string;
  heartbeatUnit: FormUnit;
  rateLimit: string;
}

export const EMPTY_CONSUMER: ConsumerForm = {
  name: '',
  description: '',
  metadata: '',
  type: 'pull',
  filters: [],
  deliver: 'all',
  startSeq: '',
  startTime: '',
  ack: 'explicit',
  ackWait: '30',
  ackWaitUnit: 'seconds',
  backoff: '',
  maxDeliver: '',
  maxAckPending: '1000',
  sample: '',
  replay: 'instant',
  headersOnly: false,
  inactive: '',
  inactiveUnit: 'minutes',
  replicas: '0',
  memory: false,
  maxWaiting: '',
  maxBatch: '',
  maxBytes: '',
  maxExpires: '',
  maxExpiresUnit: 'seconds',
  priority: 'none',
  groups: [],
  priorityTimeout: '',
  priorityTimeoutUnit: 'seconds',
  deliverSubject: '',
  deliverGroup: '',
  flowControl: false,
  heartbeat: '',
  heartbeatUnit: 'seconds',
  rateLimit: '',
};

export type ConsumerErrors = Partial<Record<keyof ConsumerForm, string>>;

function backoffSteps(text: string): string[] {
  return text.split(/[,\s]+/).filter(Boolean);
}

export function consumerErrors(form: ConsumerForm): ConsumerErrors {
  const errors: ConsumerErrors = {};
  const note = (field: keyof ConsumerForm, reason: string | null | undefined) => {
    if (reason) errors[field] = reason;
  };
  note('name', nameProblem(form.name));
  note('metadata', pairsProblem(form.metadata));
  for (const subject of form.filters) note('filters', subjectProblem(subject));
  if (form.deliver === 'by_start_sequence') note('startSeq', form.startSeq === '' ? 'The sequence to start from is needed.' : sequenceProblem(form.startSeq));
  if (form.deliver === 'by_start_time') note('startTime', form.startTime === '' ? 'The time to start from is needed.' : timeProblem(form.startTime));
  if (form.ack !== 'none') {
    const wait = Number(form.ackWait);
    note('ackWait', Number.isFinite(wait) && wait > 0 ? null : `${form.ackWait || 'Nothing'} is not a time to wait.`);
    note('maxDeliver', wholeProblem(form.maxDeliver, 1));
    note('maxAckPending', wholeProblem(form.maxAckPending, 1));
    const steps = backoffSteps(form.backoff);
    const bad = steps.find((step) => !parseDuration(step));
    if (bad) note('backoff', `${bad} is not a time; write 1s, 30s or 5m.`);
    const tries = amount(form.maxDeliver);
    if (!bad && tries && steps.length > tries) note('backoff', `${steps.length} waits are more than the ${tries} deliveries a message gets.`);
  }
  const sample = amount(form.sample);
  if (sample !== null && !(sample >= 0 && sample <= 100)) note('sample', `${form.sample} is not a share from 0 to 100.`);
  note('inactive', amountProblem(form.inactive, 'A time', false));
  if (form.type === 'pull') {
    note('maxWaiting', wholeProblem(form.maxWaiting, 1));
    note('maxBatch', wholeProblem(form.maxBatch, 1));
    note('maxBytes', wholeProblem(form.maxBytes, 1));
    note('maxExpires', amountProblem(form.maxExpires, 'A time', false));
    if (form.priority !== 'none' && form.groups.length === 0) note('groups', 'A priority policy needs a group.');
    note('priorityTimeout', amountProblem(form.priorityTimeout, 'A time', false));
  } else {
    note('deliverSubject', form.deliverSubject === '' ? 'A push consumer needs the subject it delivers to.' : subjectProblem(form.deliverSubject));
    note('heartbeat', form.flowControl && form.heartbeat === '' ? 'Flow control needs a heartbeat.' : amountProblem(form.heartbeat, 'A time', false));
    note('rateLimit', wholeProblem(form.rateLimit, 1));
  }
  return errors;
}

export function toConsumer(form: ConsumerForm): ConsumerCreate {
  const whole = (text: string) => amount(text) ?? -1;
  const span = (text: string, unit: FormUnit) => toDuration(formToMs(amount(text) ?? 0, unit));
  const metadata = pairsFrom(form.metadata);
  const steps = backoffSteps(form.backoff);
  const pull = {
    ...(form.maxWaiting ? { max_waiting: whole(form.maxWaiting) } : {}),
    ...(form.maxBatch ? { max_batch: whole(form.maxBatch) } : {}),
    ...(form.maxBytes ? { max_bytes: whole(form.maxBytes) } : {}),
    ...(form.maxExpires ? { max_expires: span(form.maxExpires, form.maxExpiresUnit) } : {}),
    ...(form.priority === 'none' ? {} : { priority_policy: form.priority, priority_groups: form.groups }),
    ...(form.priority === 'pinned_client' && form.priorityTimeout ? { priority_timeout: span(form.priorityTimeout, form.priorityTimeoutUnit) } : {}),
  };
  const push = {
    deliver_subject: form.deliverSubject,
    ...(form.deliverGroup ? { deliver_group: form.deliverGroup } : {}),
    ...(form.flowControl ? { flow_control: true } : {}),
    ...(form.heartbeat ? { idle_heartbeat: span(form.heartbeat, form.heartbeatUnit) } : {}),
    ...(form.rateLimit ? { rate_limit_bps: whole(form.rateLimit) } : {}),
  };
  return {
    name: form.name,
    ...(form.description ? { description: form.description } : {}),
    ...(Object.keys(metadata).length ? { metadata } : {}),
    deliver_policy: form.deliver,
    ...(form.deliver === 'by_start_sequence' ? { opt_start_seq: form.startSeq } : {}),
    ...(form.deliver === 'by_start_time' ? { opt_start_time: form.startTime } : {}),
    ack_policy: form.ack,
    ...(form.ack === 'none'
      ? {}
      : {
          ack_wait: toDuration(formToMs(Number(form.ackWait), form.ackWaitUnit)),
          max_deliver: whole(form.maxDeliver),
          max_ack_pending: whole(form.maxAckPending),
          ...(steps.length ? { backoff: steps } : {}),
        }),
    ...(form.filters.length === 1 ? { filter_subject: form.filters[0] as string } : form.filters.length ? { filter_subjects: form.filters } : {}),
    replay_policy: form.replay,
    ...(form.sample ? { sample_freq: `${amount(form.sample)}%` } : {}),
    ...(form.headersOnly ? { headers_only: true } : {}),
    ...(form.inactive ? { inactive_threshold: span(form.inactive, form.inactiveUnit) } : {}),
    ...(form.replicas === '0' ? {} : { num_replicas: Number(form.replicas) }),
    ...(form.memory ? { mem_storage: true } : {}),
    ...(form.type === 'pull' ? pull : push),
  };
}

export function fromConsumer(consumer: Consumer): ConsumerForm {
  const positive = (value: number | undefined) => (value !== undefined && value > 0 ? String(value) : '');
  const span = (text: string | undefined | null, unit: FormUnit) => {
    const ms = parseDuration(text) ?? 0;
    if (ms <= 0) return { value: '', unit };
    const found = msToForm(ms);
    return { value: String(found.value), unit: found.unit };
  };
  const wait = span(consumer.ack_wait, 'seconds');
  const inactive = span(consumer.inactive_threshold, 'minutes');
  const expires = span(consumer.max_expires, 'seconds');
  const timeout = span(consumer.priority_timeout, 'seconds');
  const beat = span(consumer.idle_heartbeat, 'seconds');
  const replicas = String(consumer.num_replicas ?? 0);
  return {
    name: consumer.name,
    description: consumer.description ?? '',
    metadata: pairsText(Object.fromEntries(Object.entries(consumer.metadata ?? {}).filter(([key]) => !key.startsWith('_nats.')))),
    type: consumer.type,
    filters: consumer.filter_subjects?.length ? [...consumer.filter_subjects] : consumer.filter_subject ? [consumer.filter_subject] : [],
    deliver: consumer.deliver_policy,
    startSeq: consumer.opt_start_seq && consumer.opt_start_seq !== '0' ? consumer.opt_start_seq : '',
    startTime: consumer.opt_start_time ?? '',
    ack: consumer.ack_policy,
    ackWait: wait.value || '30',
    ackWaitUnit: wait.value ? wait.unit : 'seconds',
    backoff: (consumer.backoff ?? []).join(' '),
    maxDeliver: positive(consumer.max_deliver),
    maxAckPending: positive(consumer.max_ack_pending),
    sample: (consumer.sample_freq ?? '').replace('%', ''),
    replay: consumer.replay_policy,
    headersOnly: consumer.headers_only ?? false,
    inactive: inactive.value,
    inactiveUnit: inactive.unit,
    replicas: replicas === '1' || replicas === '3' || replicas === '5' ? replicas : '0',
    memory: consumer.mem_storage ?? false,
    maxWaiting: positive(consumer.max_waiting),
    maxBatch: positive(consumer.max_batch),
    maxBytes: positive(consumer.max_bytes),
    maxExpires: expires.value,
    maxExpiresUnit: expires.unit,
    priority: consumer.priority_policy ?? 'none',
    groups: [...(consumer.priority_groups ?? [])],
    priorityTimeout: timeout.value,
    priorityTimeoutUnit: timeout.unit,
    deliverSubject: consumer.deliver_subject ?? '',
    deliverGroup: consumer.deliver_group ?? '',
    flowControl: consumer.flow_control ?? false,
    heartbeat: beat.value,
    heartbeatUnit: beat.unit,
    rateLimit: positive(consumer.rate_limit_bps),
  };
}

const START: Record<ConsumerForm['deliver'], string> = {
  all: 'Starts with the first message kept',
  last: 'Starts with the newest message',
  new: 'Starts with messages that arrive from now on',
  by_start_sequence: 'Starts at a sequence',
  by_start_time: 'Starts at a time',
  last_per_subject: 'Starts with the newest message of each subject',
};

/** What the consumer will do, in plain sentences. */
export function consumerSentence(form: ConsumerForm): string {
  const at =
    form.deliver === 'by_start_sequence' && form.startSeq
      ? `Starts at sequence ${/^\d+$/.test(form.startSeq) ? count(form.startSeq) : form.startSeq}`
      : form.deliver === 'by_start_time' && form.startTime
        ? `Starts at ${form.startTime}`
        : START[form.deliver];
  const what = form.filters.length ? `, only ${form.filters.join(', ')}` : '';
  const to = form.type === 'push' ? ` and is sent to ${form.deliverSubject || 'a subject'}` : '';
  if (form.ack === 'none') return `${at}${what}${to}. A message counts as done once it is delivered; a client that fails loses it.`;
  const steps = backoffSteps(form.backoff);
  const wait = steps.length ? steps.join(', then ') : durationWords(formToMs(Number(form.ackWait) || 0, form.ackWaitUnit));
  const tries = form.maxDeliver ? `, ${count(amount(form.maxDeliver) || 0)} times at most` : '';
  const out = form.maxAckPending ? ` At most ${count(amount(form.maxAckPending) || 0)} messages are out for ack at once.` : '';
  return `${at}${what}${to}. A message that is not acknowledged within ${wait} comes again${tries}.${out}`;
}
