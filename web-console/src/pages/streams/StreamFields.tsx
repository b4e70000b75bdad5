import type { UseFormReturnType } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import type { Stream } from '../../api/types';
import { FORM_UNITS } from '../../lib/duration';
import { textProps } from '../../lib/form-input';
import { SIZE_UNITS } from '../../lib/size';
import { EMPTY_SOURCE, type StreamForm } from '../../lib/stream-form';
import { subjectsOverlap } from '../../lib/subject';
import { Button } from '../../ui/Button';
import { Choice, Field } from '../../ui/Field';
import { CheckField, Locked, More, TextField } from '../../ui/FormFields';
import { AmountField } from './AmountField';
import { MetadataField, NameField } from './SharedFields';
import { SourceBox, SourceList } from './SourceFields';
import { GuardRails, StorageAndBehaviour } from './StreamFieldsMore';
import { SubjectInput } from './SubjectInput';

export type StreamFormApi = UseFormReturnType<StreamForm & Record<string, unknown>>;

interface Props {
  form: StreamFormApi;
  /** Other streams of the account, for names and subjects that are taken. */
  others: readonly Stream[];
  account: string;
  /** On edit, the stream as it was read: the fixed fields show a lock. */
  editing?: StreamForm;
}

export function overlapOf(subjects: readonly string[], others: readonly Stream[]): { subject: string; stream: string } | null {
  for (const subject of subjects) {
    for (const other of others) {
      if (!other.mirror && other.subjects.some((kept) => subjectsOverlap(subject, kept))) return { subject, stream: other.name };
    }
  }
  return null;
}

export function StreamFields({ form, others, account, editing }: Props) {
  return (
    <>
      <Identity form={form} others={others} editing={editing} />
      <Input form={form} others={others} account={account} editing={editing} />
      <Retention form={form} editing={editing} />
      <StorageAndBehaviour form={form} editing={editing} />
      <GuardRails form={form} editing={editing} />
    </>
  );
}

function Identity({ form, others, editing }: Pick<Props, 'form' | 'others' | 'editing'>) {
  const values = form.values;
  const taken = !editing && others.some((other) => other.name === values.name);
  return (
    <div className="form-group">
      <h2>Identity</h2>
      <div>
        <NameField form={form} taken={taken ? `${values.name} exists already in this account.` : null} free="Free in this account" fixed={editing ? 'Fixed: clients and consumers know the stream by it.' : null} />
        <TextField form={form} path="description" label="Description" optional />
        <MetadataField {...textProps(form, 'metadata')} help="Name and value, one a line. The broker keeps them with the stream." />
      </div>
    </div>
  );
}

function Input({ form, others, account, editing }: Props) {
  const values = form.values;
  const overlap = overlapOf(values.subjects, others);
  return (
    <div className="form-group">
      <h2>Input</h2>
      <div>
        <Field
          label="Subjects"
          help={values.mirror ? 'None of its own: it follows the mirrored stream.' : 'Enter or comma adds one. * is one token, > is the rest.'}
          error={
            overlap ? (
              <>
                <span className="mono">{overlap.subject}</span> overlaps with a subject of{' '}
                <Link to="/accounts/$account/streams/$stream" params={{ account, stream: overlap.stream }}>
                  {overlap.stream}
                </Link>
                . Two streams cannot share a subject.{' '}
                <Button size="compact" onClick={() => form.setFieldValue('subjects', values.subjects.filter((subject) => subject !== overlap.subject))}>
                  Remove it here
                </Button>
              </>
            ) : (
              form.errors.subjects
            )
          }
        >
          {(id, described) => (
            <SubjectInput id={id} describedBy={described} subjects={values.subjects} wrong={Boolean(overlap ?? form.errors.subjects)} onChange={(subjects) => form.setFieldValue('subjects', subjects)} />
          )}
        </Field>
        <More title="Mirror, sources, subject transform" open={values.mirror !== null || values.sources.length > 0 || values.transformDest !== ''}>
          {editing?.mirror ? (
            <Locked label="Mirror of" value={editing.mirror.name} why="Fixed: a stream that follows another one keeps following it." />
          ) : editing ? null : values.mirror ? (
            <SourceBox kind="Mirror" source={values.mirror} onChange={(mirror) => form.setFieldValue('mirror', mirror)} onRemove={() => form.setFieldValue('mirror', null)} />
          ) : (
            <div>
              <Button size="compact" onClick={() => form.setFieldValue('mirror', { ...EMPTY_SOURCE })}>
                Mirror another stream instead
              </Button>
            </div>
          )}
          {form.errors.mirror ? <p className="error-line">{form.errors.mirror}</p> : null}
          {values.mirror ? null : <SourceList sources={values.sources} onChange={(sources) => form.setFieldValue('sources', sources)} />}
          {form.errors.sources ? <p className="error-line">{form.errors.sources}</p> : null}
          <div className="pair">
            <TextField form={form} path="transformSrc" label="Transform subjects of" mono optional placeholder="orders.>" help="Empty takes every subject." />
            <TextField form={form} path="transformDest" label="To" mono optional placeholder="archive.orders.>" />
          </div>
        </More>
      </div>
    </div>
  );
}

function Retention({ form, editing }: Pick<Props, 'form' | 'editing'>) {
  const values = form.values;
  return (
    <div className="form-group">
      <h2>Retention</h2>
      <div>
        {editing ? (
          <Locked label="Keep messages" value={values.retention} why="Fixed: the broker does not change the retention of a stream with messages." />
        ) : (
          <Choice
            label="Keep messages"
            value={values.retention}
            onChange={(value) => form.setFieldValue('retention', value)}
            options={[
              { value: 'limits', label: 'Up to limits' },
              { value: 'interest', label: 'While someone is interested' },
              { value: 'workqueue', label: 'Until one worker acks' },
            ]}
          />
        )}
        <div className="pair">
          <AmountField label="Oldest" {...textProps(form, 'maxAge')} unit={{ value: values.maxAgeUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('maxAgeUnit', unit) }} />
          <AmountField label="Size" {...textProps(form, 'maxBytes')} unit={{ value: values.maxBytesUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxBytesUnit', unit) }} />
          <AmountField label="Messages" {...textProps(form, 'maxMsgs')} />
          <AmountField label="Largest message" placeholder="account’s limit" {...textProps(form, 'maxMsgSize')} unit={{ value: values.maxMsgSizeUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxMsgSizeUnit', unit) }} />
          <AmountField label="Messages a subject" {...textProps(form, 'maxMsgsPerSubject')} />
          <AmountField
            label="Duplicate window"
            placeholder="2"
            help="The same Nats-Msg-Id within this time is stored once."
            {...textProps(form, 'dupWindow')}
            unit={{ value: values.dupWindowUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('dupWindowUnit', unit) }}
          />
        </div>
        <Choice
          label="When full"
          short
          value={values.discard}
          onChange={(value) => form.setFieldValue('discard', value)}
          options={[
            { value: 'old', label: 'Drop the oldest' },
            { value: 'new', label: 'Refuse new ones' },
          ]}
          help="Refusing gives publishers error 10077 until there is room."
        />
        <More title="Per-message lifetime, limits by subject, consumers" open={values.allowMsgTtl || values.discardPerSubject || (!editing && values.maxConsumers !== '')}>
          <CheckField
            checked={values.discardPerSubject}
            onChange={(checked) => form.setFieldValue('discardPerSubject', checked)}
            text="Refuse new messages of a subject that is full"
            help="Instead of dropping that subject’s oldest one."
            error={form.errors.discardPerSubject}
          />
          <CheckField
            checked={values.allowMsgTtl}
            onChange={(checked) => form.setFieldValue('allowMsgTtl', checked)}
            text="Messages may carry a time to live"
            help="By the header Nats-TTL. Cannot be forbidden again."
            fixed={editing?.allowMsgTtl ? 'Allowed, which cannot be taken back.' : undefined}
          />
          <div className="pair">
            <AmountField
              label="Leave a marker for"
              placeholder="no marker"
              help="When the last message of a subject ends by its age."
              {...textProps(form, 'markerTtl')}
              unit={{ value: values.markerTtlUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('markerTtlUnit', unit) }}
            />
            {editing ? (
              <Locked label="Consumers at most" value={values.maxConsumers || 'no limit'} why="Fixed when the stream is made." />
            ) : (
              <AmountField label="Consumers at most" {...textProps(form, 'maxConsumers')} />
            )}
          </div>
        </More>
      </div>
    </div>
  );
}
