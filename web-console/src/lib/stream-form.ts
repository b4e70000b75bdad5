import { amount, amountProblem, sequenceProblem, timeProblem, wholeProblem } from './amount';
import { type FormUnit, formToMs } from './duration';
import { pairsProblem } from './pairs';
import type { SizeUnit } from './size';
import { nameProblem, subjectProblem } from './subject';

/** One stream that is mirrored or sourced from, as typed. */
export interface SourceForm {
  name: string;
  startSeq: string;
  startTime: string;
  filter: string;
  /** "from to" a line. */
  transforms: string;
  externalApi: string;
  externalDeliver: string;
}

export const EMPTY_SOURCE: SourceForm = { name: '', startSeq: '', startTime: '', filter: '', transforms: '', externalApi: '', externalDeliver: '' };

/** What the stream form edits. Amounts are text as typed; empty means no limit, or the default. */
export interface StreamForm {
  name: string;
  description: string;
  metadata: string;
  subjects: string[];
  mirror: SourceForm | null;
  sources: SourceForm[];
  transformSrc: string;
  transformDest: string;
  retention: 'limits' | 'interest' | 'workqueue';
  maxAge: string;
  maxAgeUnit: FormUnit;
  maxBytes: string;
  maxBytesUnit: SizeUnit;
  maxMsgs: string;
  maxMsgsPerSubject: string;
  maxMsgSize: string;
  maxMsgSizeUnit: SizeUnit;
  maxConsumers: string;
  discard: 'old' | 'new';
  discardPerSubject: boolean;
  dupWindow: string;
  dupWindowUnit: FormUnit;
  allowMsgTtl: boolean;
  markerTtl: string;
  markerTtlUnit: FormUnit;
  storage: 'file' | 'memory';
  replicas: '1' | '3' | '5';
  placementCluster: string;
  placementTags: string[];
  persist: 'default' | 'async';
  firstSeq: string;
  compress: boolean;
  noAck: boolean;
  allowDirect: boolean;
  mirrorDirect: boolean;
  allowRollup: boolean;
  allowAtomic: boolean;
  allowBatched: boolean;
  allowCounter: boolean;
  allowSchedules: boolean;
  republishSrc: string;
  republishDest: string;
  republishHeaders: boolean;
  denyDelete: boolean;
  denyPurge: boolean;
  protect: boolean;
  sealed: boolean;
  limitAckPending: string;
  limitInactive: string;
  limitInactiveUnit: FormUnit;
}

export const EMPTY_STREAM: StreamForm = {
  name: '',
  description: '',
  metadata: '',
  subjects: [],
  mirror: null,
  sources: [],
  transformSrc: '',
  transformDest: '',
  retention: 'limits',
  maxAge: '',
  maxAgeUnit: 'days',
  maxBytes: '',
  maxBytesUnit: 'GB',
  maxMsgs: '',
  maxMsgsPerSubject: '',
  maxMsgSize: '',
  maxMsgSizeUnit: 'MB',
  maxConsumers: '',
  discard: 'old',
  discardPerSubject: false,
  dupWindow: '2',
  dupWindowUnit: 'minutes',
  allowMsgTtl: false,
  markerTtl: '',
  markerTtlUnit: 'minutes',
  storage: 'file',
  replicas: '1',
  placementCluster: '',
  placementTags: [],
  persist: 'default',
  firstSeq: '',
  compress: false,
  noAck: false,
  allowDirect: true,
  mirrorDirect: false,
  allowRollup: false,
  allowAtomic: false,
  allowBatched: false,
  allowCounter: false,
  allowSchedules: false,
  republishSrc: '',
  republishDest: '',
  republishHeaders: false,
  denyDelete: false,
  denyPurge: false,
  protect: false,
  sealed: false,
  limitAckPending: '',
  limitInactive: '',
  limitInactiveUnit: 'minutes',
};

export type StreamErrors = Partial<Record<keyof StreamForm, string>>;

function sourceProblem(source: SourceForm): string | undefined {
  const name = nameProblem(source.name);
  if (name) return source.name === '' ? 'The name of the stream to read from is needed.' : name;
  if (source.startSeq && source.startTime) return `${source.name} starts at a sequence or at a time, not both.`;
  const transform = source.transforms.split('\n').find((line) => line.trim() !== '' && line.trim().split(/\s+/).length !== 2);
  return (
    sequenceProblem(source.startSeq) ??
    timeProblem(source.startTime) ??
    (source.filter ? (subjectProblem(source.filter) ?? undefined) : undefined) ??
    (transform === undefined ? undefined : `${transform.trim()} is not a subject and its new form, parted by a space.`)
  );
}

/** Reasons by field; an empty object means that the form can be sent. */
export function streamErrors(form: StreamForm): StreamErrors {
  const errors: StreamErrors = {};
  const note = (field: keyof StreamForm, reason: string | null | undefined) => {
    if (reason) errors[field] = reason;
  };
  note('name', nameProblem(form.name));
  note('metadata', pairsProblem(form.metadata));
  const fed = form.mirror !== null || form.sources.length > 0;
  if (form.subjects.length === 0 && !fed) note('subjects', 'A stream needs a subject to keep: orders.> keeps all that starts with orders.');
  if (form.subjects.length > 0 && form.mirror) note('subjects', 'A mirror has the subjects of the stream it follows, none of its own.');
  for (const subject of form.subjects) note('subjects', subjectProblem(subject));
  if (form.mirror) note('mirror', sourceProblem(form.mirror));
  for (const source of form.sources) note('sources', sourceProblem(source));
  if (form.transformSrc) note('transformSrc', subjectProblem(form.transformSrc));
  if (form.transformSrc && !form.transformDest) note('transformDest', 'The new form of the subject is needed.');
  note('maxAge', amountProblem(form.maxAge, 'An age', false));
  note('maxBytes', amountProblem(form.maxBytes, 'A size', false));
  note('maxMsgs', amountProblem(form.maxMsgs, 'A number of messages', true));
  note('maxMsgsPerSubject', amountProblem(form.maxMsgsPerSubject, 'A number of messages', true));
  note('maxMsgSize', amountProblem(form.maxMsgSize, 'A size', false));
  note('maxConsumers', amountProblem(form.maxConsumers, 'A number of consumers', true));
  note('dupWindow', amountProblem(form.dupWindow, 'A window', false));
  note('markerTtl', amountProblem(form.markerTtl, 'A time', false));
  if (form.markerTtl && !form.allowMsgTtl) note('markerTtl', 'Markers need “Messages may carry a time to live”.');
  if (form.discardPerSubject && (form.discard !== 'new' || form.maxMsgsPerSubject.trim() === '')) {
    note('discardPerSubject', 'Refusing by subject needs “Refuse new ones” and a number of messages a subject.');
  }
  note('firstSeq', sequenceProblem(form.firstSeq));
  if (form.republishSrc && !form.republishDest) note('republishDest', 'The subject to publish again on is needed.');
  note('limitAckPending', wholeProblem(form.limitAckPending, 1));
  note('limitInactive', amountProblem(form.limitInactive, 'A time', false));
  const age = amount(form.maxAge);
  const window = amount(form.dupWindow);
  if (age && window && !errors.maxAge && !errors.dupWindow) {
    if (formToMs(window, form.dupWindowUnit) > formToMs(age, form.maxAgeUnit)) {
      note('dupWindow', `${window} ${form.dupWindowUnit} is longer than the oldest age, ${age} ${form.maxAgeUnit}.`);
    }
  }
  return errors;
}
