import type { UseFormReturnType } from '@mantine/form';
import type { ApiError } from '../../api/error';
import type { Stream } from '../../api/types';
import type { ConsumerForm } from '../../lib/consumer-model';
import { inputProps, textProps } from '../../lib/form-input';
import { count } from '../../lib/format';
import { subjectsOverlap } from '../../lib/subject';
import { Choice, Field } from '../../ui/Field';
import { CheckField, Locked, More, TextField } from '../../ui/FormFields';
import { MetadataField, NameField } from '../streams/SharedFields';
import { SubjectInput } from '../streams/SubjectInput';
import { Acknowledgement, Lifetime, PullOrPush } from './ConsumerFieldsMore';

export type ConsumerFormApi = UseFormReturnType<ConsumerForm & Record<string, unknown>>;

const FIELD_OF: Record<string, keyof ConsumerForm> = {
  name: 'name',
  metadata: 'metadata',
  filter_subject: 'filters',
  filter_subjects: 'filters',
  ack_wait: 'ackWait',
  backoff: 'backoff',
  max_deliver: 'maxDeliver',
  max_ack_pending: 'maxAckPending',
  opt_start_seq: 'startSeq',
  opt_start_time: 'startTime',
  sample_freq: 'sample',
  inactive_threshold: 'inactive',
  max_waiting: 'maxWaiting',
  max_batch: 'maxBatch',
  max_bytes: 'maxBytes',
  max_expires: 'maxExpires',
  priority_groups: 'groups',
  priority_policy: 'groups',
  priority_timeout: 'priorityTimeout',
  deliver_subject: 'deliverSubject',
  idle_heartbeat: 'heartbeat',
  rate_limit_bps: 'rateLimit',
};

/** Server reasons by the field of the form that can mend them. */
export function consumerReasons(error: ApiError): Partial<Record<keyof ConsumerForm, string>> {
  const reasons: Partial<Record<keyof ConsumerForm, string>> = {};
  for (const [path, reason] of Object.entries(error.fieldReasons)) {
    const field = FIELD_OF[path.split(/[.[]/)[0] ?? ''];
    if (field) reasons[field] = reason;
  }
  if (error.code === 'already_exists') reasons.name = error.message;
  return reasons;
}

interface Props {
  form: ConsumerFormApi;
  streamName: string;
  stream: Stream | undefined;
  taken: boolean;
  /** On edit, the consumer as it was read: what the broker does not change shows a lock. */
  editing?: ConsumerForm;
}

const DELIVER = [
  { value: 'all', label: 'First kept' },
  { value: 'last', label: 'Newest' },
  { value: 'new', label: 'From now on' },
  { value: 'by_start_sequence', label: 'A sequence' },
  { value: 'by_start_time', label: 'A time' },
  { value: 'last_per_subject', label: 'Last per subject' },
] as const;

export function ConsumerFields({ form, streamName, stream, taken, editing }: Props) {
  const values = form.values;
  const kept = stream?.subjects ?? [];
  const outside = kept.length ? values.filters.find((filter) => !kept.some((subject) => subjectsOverlap(filter, subject))) : undefined;
  return (
    <>
      <div className="form-group">
        <h2>Identity</h2>
        <div>
          <NameField form={form} taken={taken ? `${values.name} exists already on ${streamName}.` : null} free={`Free on ${streamName}`} fixed={editing ? 'Fixed: clients know the consumer by it.' : null} />
          <TextField form={form} path="description" label="Description" optional />
          <MetadataField {...textProps(form, 'metadata')} />
        </div>
      </div>
      <div className="form-group">
        <h2>Takes</h2>
        <div>
          <Field
            label="Only subjects"
            optional
            error={form.errors.filters}
            help={outside ? `${outside} matches nothing that ${streamName} keeps (${kept.join(', ')}).` : 'Empty takes every subject of the stream.'}
          >
            {(id, described) => (
              <SubjectInput id={id} describedBy={described} subjects={values.filters} wrong={Boolean(form.errors.filters)} placeholder={kept[0] ?? 'add a subject'} onChange={(filters) => form.setFieldValue('filters', filters)} />
            )}
          </Field>
          {editing ? (
            <Locked
              label="Started with"
              value={`${DELIVER.find((entry) => entry.value === values.deliver)?.label ?? values.deliver}${values.startSeq ? ` ${values.startSeq}` : values.startTime ? ` ${values.startTime}` : ''}`}
              why="Fixed: where it stands now is its own. A new consumer may start elsewhere."
            />
          ) : (
            <Choice label="Start with" value={values.deliver} onChange={(value) => form.setFieldValue('deliver', value)} options={DELIVER} />
          )}
          {!editing && values.deliver === 'by_start_sequence' ? (
            <Field label="Sequence" error={form.errors.startSeq} help={stream ? `Kept now: ${count(stream.state.first_seq)} to ${count(stream.state.last_seq)}.` : null}>
              {(id, described) => (
                <span className={form.errors.startSeq ? 'input mono wrong' : 'input mono'} style={{ maxWidth: 220 }}>
                  <input id={id} inputMode="numeric" aria-describedby={described} {...inputProps(form, 'startSeq')} />
                </span>
              )}
            </Field>
          ) : null}
          {!editing && values.deliver === 'by_start_time' ? <TextField form={form} path="startTime" label="Time" mono placeholder="2026-11-30T09:00:00Z" /> : null}
          <CheckField checked={values.headersOnly} onChange={(checked) => form.setFieldValue('headersOnly', checked)} text="Deliver headers only, no payload" />
          <More title="Replay, sampling" open={(!editing && values.replay === 'original') || values.sample !== ''}>
            {editing ? (
              <Locked label="Replay" value={values.replay} why="Fixed when the consumer is made." />
            ) : (
              <Choice
                label="Replay"
                short
                value={values.replay}
                onChange={(value) => form.setFieldValue('replay', value)}
                options={[
                  { value: 'instant', label: 'As fast as taken' },
                  { value: 'original', label: 'As they came in' },
                ]}
              />
            )}
            <TextField form={form} path="sample" label="Sample acknowledgements" optional placeholder="0" help="Percent of them that are reported with their latency." />
          </More>
        </div>
      </div>
      <Acknowledgement form={form} editing={editing} />
      <PullOrPush form={form} editing={editing} />
      <Lifetime form={form} editing={editing} />
    </>
  );
}
