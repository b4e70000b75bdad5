import type { UseFormReturnType } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Stream } from '../../api/types';
import { FORM_UNITS } from '../../lib/duration';
import { inputProps } from '../../lib/form-input';
import { SIZE_UNITS } from '../../lib/size';
import type { StreamForm } from '../../lib/stream-model';
import { subjectsOverlap } from '../../lib/subject';
import { Button } from '../../ui/Button';
import { Choice, Field } from '../../ui/Field';
import { AmountField } from './AmountField';
import { SubjectInput } from './SubjectInput';

export type StreamFormApi = UseFormReturnType<StreamForm & Record<string, unknown>>;

interface Props {
  form: StreamFormApi;
  /** Other streams of the account, for names and subjects that are taken. */
  others: readonly Stream[];
  account: string;
  /** On edit the fixed fields show a lock. */
  editing?: boolean;
}

export function overlapOf(subjects: readonly string[], others: readonly Stream[]): { subject: string; stream: string } | null {
  for (const subject of subjects) {
    for (const other of others) {
      if (other.subjects.some((kept) => subjectsOverlap(subject, kept))) return { subject, stream: other.name };
    }
  }
  return null;
}

function Locked({ label, value, why }: { label: string; value: string; why: string }) {
  return (
    <Field label={label} help={why}>
      {(id, described) => (
        <span className="input locked mono">
          <IconLock size={14} stroke={1.6} aria-hidden="true" />
          <input id={id} value={value} readOnly aria-describedby={described} />
        </span>
      )}
    </Field>
  );
}

export function StreamFields({ form, others, account, editing }: Props) {
  const values = form.values;
  const overlap = overlapOf(values.subjects, others);
  const amountProps = (field: 'maxAge' | 'maxBytes' | 'maxMsgs' | 'maxMsgsPerSubject' | 'maxMsgSize' | 'dupWindow') => ({
    value: values[field],
    onChange: (value: string) => form.setFieldValue(field, value),
    onBlur: () => void form.validateField(field),
    error: form.errors[field],
  });
  const taken = !editing && others.some((other) => other.name === values.name);
  const check = (field: 'compress' | 'allowDirect' | 'allowRollup' | 'denyDelete' | 'denyPurge', text: string, help: string) => (
    <label className="check">
      <input type="checkbox" checked={values[field]} onChange={(event) => form.setFieldValue(field, event.target.checked)} />
      <span>
        {text}
        <span className="help tiny ink3" style={{ display: 'block' }}>
          {help}
        </span>
      </span>
    </label>
  );

  return (
    <>
      <div className="form-group">
        <h2>Identity</h2>
        <div>
          {editing ? (
            <Locked label="Name" value={values.name} why="Fixed: clients and consumers know the stream by it." />
          ) : (
            <Field
              label="Name"
              error={taken ? `${values.name} exists already in this account.` : form.errors.name}
              good={values.name && !form.errors.name ? 'Free in this account' : null}
              help="Letters, digits, _ and -. Cannot be changed later."
            >
              {(id, described) => (
                <span className={taken || form.errors.name ? 'input mono wrong' : 'input mono'}>
                  <input id={id} autoComplete="off" spellCheck={false} aria-describedby={described} {...inputProps(form, 'name')} />
                </span>
              )}
            </Field>
          )}
          <Field label="Description" optional>
            {(id) => (
              <span className="input">
                <input id={id} autoComplete="off" {...inputProps(form, 'description')} />
              </span>
            )}
          </Field>
        </div>
      </div>

      <div className="form-group">
        <h2>Input</h2>
        <div>
          <Field
            label="Subjects"
            help="Enter or comma adds one. * is one token, > is the rest."
            error={
              overlap ? (
                <>
                  <span className="mono">{overlap.subject}</span> overlaps with a subject of{' '}
                  <Link to="/accounts/$account/streams/$stream" params={{ account, stream: overlap.stream }}>
                    {overlap.stream}
                  </Link>
                  . Two streams cannot share a subject.{' '}
                  <Button
                    size="compact"
                    onClick={() => form.setFieldValue('subjects', values.subjects.filter((subject) => subject !== overlap.subject))}
                  >
                    Remove it here
                  </Button>
                </>
              ) : (
                form.errors.subjects
              )
            }
          >
            {(id, described) => (
              <SubjectInput
                id={id}
                describedBy={described}
                subjects={values.subjects}
                wrong={Boolean(overlap ?? form.errors.subjects)}
                onChange={(subjects) => form.setFieldValue('subjects', subjects)}
              />
            )}
          </Field>
        </div>
      </div>

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
            <AmountField
              label="Oldest"
              {...amountProps('maxAge')}
              unit={{ value: values.maxAgeUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('maxAgeUnit', unit) }}
            />
            <AmountField
              label="Size"
              {...amountProps('maxBytes')}
              unit={{ value: values.maxBytesUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxBytesUnit', unit) }}
            />
            <AmountField label="Messages" {...amountProps('maxMsgs')} />
            <AmountField
              label="Largest message"
              placeholder="the account’s limit"
              {...amountProps('maxMsgSize')}
              unit={{ value: values.maxMsgSizeUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxMsgSizeUnit', unit) }}
            />
            <AmountField label="Messages a subject" {...amountProps('maxMsgsPerSubject')} />
            <AmountField
              label="Duplicate window"
              placeholder="2"
              help="The same Nats-Msg-Id within this time is stored once."
              {...amountProps('dupWindow')}
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
        </div>
      </div>

      <div className="form-group">
        <h2>Storage</h2>
        <div>
          {editing ? (
            <Locked label="Medium" value={values.storage} why="Fixed: stored messages do not move between disk and memory." />
          ) : (
            <Choice
              label="Medium"
              short
              value={values.storage}
              onChange={(value) => form.setFieldValue('storage', value)}
              options={[
                { value: 'file', label: 'File' },
                { value: 'memory', label: 'Memory' },
              ]}
            />
          )}
          {check('compress', 'Compress on disk (s2)', 'Does not change what clients see.')}
        </div>
      </div>

      <div className="form-group">
        <h2>Behaviour</h2>
        <div>
          {check('allowDirect', 'Allow direct get', 'Clients read single messages without a consumer; this console does too.')}
          {check('allowRollup', 'Allow roll-up headers', 'A publisher may replace all earlier messages of a subject by one.')}
          {check('denyDelete', 'Forbid deleting single messages', 'One way: it cannot be allowed again.')}
          {check('denyPurge', 'Forbid purging', 'One way: it cannot be allowed again.')}
        </div>
      </div>
    </>
  );
}
