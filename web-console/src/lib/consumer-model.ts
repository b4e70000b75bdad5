import type { ConsumerCreate } from '../api/types';
import { durationWords, type FormUnit, formToMs, toDuration } from './duration';
import { count } from './format';
import { nameProblem, subjectProblem } from './subject';

/** What the consumer form edits; amounts are text as typed, empty means the default. */
export interface ConsumerForm {
  name: string;
  description: string;
  filters: string[];
  deliver: 'all' | 'last' | 'new' | 'by_start_sequence' | 'last_per_subject';
  startSeq: string;
  ack: 'explicit' | 'all' | 'none';
  ackWait: string;
  ackWaitUnit: FormUnit;
  maxDeliver: string;
  maxAckPending: string;
  replay: 'instant' | 'original';
  headersOnly: boolean;
}

export const EMPTY_CONSUMER: ConsumerForm = {
  name: '',
  description: '',
  filters: [],
  deliver: 'all',
  startSeq: '',
  ack: 'explicit',
  ackWait: '30',
  ackWaitUnit: 'seconds',
  maxDeliver: '',
  maxAckPending: '1000',
  replay: 'instant',
  headersOnly: false,
};

export type ConsumerErrors = Partial<Record<keyof ConsumerForm, string>>;

function wholeProblem(text: string, least: number): string | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text.replace(/,/g, ''));
  return Number.isInteger(value) && value >= least ? undefined : `${text} is not a whole number of at least ${least}.`;
}

export function consumerErrors(form: ConsumerForm): ConsumerErrors {
  const errors: ConsumerErrors = {};
  const note = (field: keyof ConsumerForm, reason: string | null | undefined) => {
    if (reason) errors[field] = reason;
  };
  note('name', nameProblem(form.name));
  for (const subject of form.filters) note('filters', subjectProblem(subject));
  if (form.deliver === 'by_start_sequence') note('startSeq', form.startSeq === '' ? 'The sequence to start from is needed.' : wholeProblem(form.startSeq, 1));
  if (form.ack !== 'none') {
    const wait = Number(form.ackWait);
    note('ackWait', Number.isFinite(wait) && wait > 0 ? null : `${form.ackWait || 'Nothing'} is not a time to wait.`);
    note('maxDeliver', wholeProblem(form.maxDeliver, 1));
    note('maxAckPending', wholeProblem(form.maxAckPending, 1));
  }
  return errors;
}

export function toConsumer(form: ConsumerForm): ConsumerCreate {
  const whole = (text: string) => (text.trim() === '' ? -1 : Number(text.replace(/,/g, '')));
  return {
    name: form.name,
    ...(form.description ? { description: form.description } : {}),
    deliver_policy: form.deliver,
    ...(form.deliver === 'by_start_sequence' ? { opt_start_seq: form.startSeq } : {}),
    ack_policy: form.ack,
    ...(form.ack === 'none'
      ? {}
      : {
          ack_wait: toDuration(formToMs(Number(form.ackWait), form.ackWaitUnit)),
          max_deliver: whole(form.maxDeliver),
          max_ack_pending: whole(form.maxAckPending),
        }),
    ...(form.filters.length === 1 ? { filter_subject: form.filters[0] as string } : form.filters.length ? { filter_subjects: form.filters } : {}),
    replay_policy: form.replay,
    ...(form.headersOnly ? { headers_only: true } : {}),
  };
}

const START: Record<ConsumerForm['deliver'], string> = {
  all: 'Starts with the first message kept',
  last: 'Starts with the newest message',
  new: 'Starts with messages that arrive from now on',
  by_start_sequence: 'Starts at a sequence',
  last_per_subject: 'Starts with the newest message of each subject',
};

/** What the consumer will do, in plain sentences. */
export function consumerSentence(form: ConsumerForm): string {
  const start = form.deliver === 'by_start_sequence' && form.startSeq ? `Starts at sequence ${count(form.startSeq)}` : START[form.deliver];
  const what = form.filters.length ? `, only ${form.filters.join(', ')}` : '';
  if (form.ack === 'none') return `${start}${what}. A message counts as done once it is delivered; a client that fails loses it.`;
  const wait = durationWords(formToMs(Number(form.ackWait) || 0, form.ackWaitUnit));
  const tries = form.maxDeliver ? `, ${count(form.maxDeliver)} times at most` : '';
  const out = form.maxAckPending ? ` At most ${count(Number(form.maxAckPending.replace(/,/g, '')) || 0)} messages are out for ack at once.` : '';
  return `${start}${what}. A message that is not acknowledged within ${wait} comes again${tries}.${out}`;
}
