import { useForm, type UseFormReturnType } from '@mantine/form';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, newIdempotencyKey } from '../../api/client';
import { type ApiError, asApiError } from '../../api/error';
import { useConsumers, useRefresh, useStream } from '../../api/queries';
import { consumerCreateTabs } from '../../lib/code-tabs';
import { type ConsumerForm, consumerErrors, consumerSentence, EMPTY_CONSUMER, toConsumer } from '../../lib/consumer-model';
import { FORM_UNITS } from '../../lib/duration';
import { count } from '../../lib/format';
import { inputProps } from '../../lib/form-input';
import { subjectsOverlap } from '../../lib/subject';
import { Button, ButtonLink } from '../../ui/Button';
import { CodeTabs } from '../../ui/Code';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Choice, Field } from '../../ui/Field';
import { PageHead } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';
import { noteDone } from '../../ui/done-notes';
import { AmountField } from '../streams/AmountField';
import { SubjectInput } from '../streams/SubjectInput';

type FormApi = UseFormReturnType<ConsumerForm & Record<string, unknown>>;

const FIELD_OF: Record<string, keyof ConsumerForm> = {
  name: 'name',
  filter_subject: 'filters',
  filter_subjects: 'filters',
  ack_wait: 'ackWait',
  max_deliver: 'maxDeliver',
  max_ack_pending: 'maxAckPending',
  opt_start_seq: 'startSeq',
};

function formReasons(error: ApiError): Partial<Record<keyof ConsumerForm, string>> {
  const reasons: Partial<Record<keyof ConsumerForm, string>> = {};
  for (const [path, reason] of Object.entries(error.fieldReasons)) {
    const field = FIELD_OF[path.split(/[.[]/)[0] ?? ''];
    if (field) reasons[field] = reason;
  }
  if (error.code === 'already_exists') reasons.name = error.message;
  return reasons;
}

export function ConsumerCreatePage() {
  const { account, stream } = useParams({ from: '/accounts/$account/streams/$stream/consumers/~new' });
  const navigate = useNavigate();
  const refresh = useRefresh();
  const streamQuery = useStream(account, stream);
  const consumers = useConsumers(account, stream);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const form = useForm<ConsumerForm & Record<string, unknown>>({
    initialValues: { ...EMPTY_CONSUMER },
    validateInputOnBlur: true,
    validate: (values) => consumerErrors(values),
  }) as FormApi;

  const values = form.values;
  const config = toConsumer(values);
  const kept = streamQuery.data?.subjects ?? [];
  const outside = kept.length ? values.filters.find((filter) => !kept.some((subject) => subjectsOverlap(filter, subject))) : undefined;
  const taken = (consumers.data ?? []).some((consumer) => consumer.name === values.name);
  const wrong = Object.keys(form.errors).length + (taken && !form.errors.name ? 1 : 0);

  const submit = form.onSubmit(async () => {
    if (taken || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await api.POST('/v1/accounts/{account}/streams/{stream}/consumers', {
        params: { path: { account, stream }, header: { 'Idempotency-Key': newIdempotencyKey() } },
        body: config,
      });
      await refresh('consumers', 'stream', 'streams', 'account');
      noteDone(`Consumer ${config.name} created.`);
      await navigate({ to: '/accounts/$account/streams/$stream/consumers/$consumer', params: { account, stream, consumer: config.name } });
    } catch (error) {
      const failed = asApiError(error);
      form.setErrors(formReasons(failed));
      setFailure(failed);
    } finally {
      setBusy(false);
    }
  });

  return (
    <>
      <PageHead
        tab={`Create consumer of ${stream}`}
        title={
          <>
            Create consumer of <span className="mono">{stream}</span>
          </>
        }
        facts={<span>Durable and pulled: it keeps its place while no client is connected, and clients ask for messages.</span>}
      />
      <div className="form-grid">
        <form onSubmit={submit} noValidate>
          <div className="form-group">
            <h2>Identity</h2>
            <div>
              <Field
                label="Name"
                error={taken ? `${values.name} exists already on ${stream}.` : form.errors.name}
                good={values.name && !form.errors.name ? `Free on ${stream}` : null}
                help="Letters, digits, _ and -. Cannot be changed later."
              >
                {(id, described) => (
                  <span className={taken || form.errors.name ? 'input mono wrong' : 'input mono'}>
                    <input id={id} autoComplete="off" spellCheck={false} aria-describedby={described} {...inputProps(form, 'name')} />
                  </span>
                )}
              </Field>
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
            <h2>Takes</h2>
            <div>
              <Field
                label="Only subjects"
                optional
                error={form.errors.filters}
                help={
                  outside
                    ? `${outside} matches nothing that ${stream} keeps (${kept.join(', ')}).`
                    : 'Empty takes every subject of the stream.'
                }
              >
                {(id, described) => (
                  <SubjectInput id={id} describedBy={described} subjects={values.filters} wrong={Boolean(form.errors.filters)} placeholder={kept[0] ?? 'add a subject'} onChange={(filters) => form.setFieldValue('filters', filters)} />
                )}
              </Field>
              <Choice
                label="Start with"
                value={values.deliver}
                onChange={(value) => form.setFieldValue('deliver', value)}
                options={[
                  { value: 'all', label: 'First kept' },
                  { value: 'last', label: 'Newest' },
                  { value: 'new', label: 'From now on' },
                  { value: 'by_start_sequence', label: 'A sequence' },
                  { value: 'last_per_subject', label: 'Last per subject' },
                ]}
              />
              {values.deliver === 'by_start_sequence' ? (
                <Field
                  label="Sequence"
                  error={form.errors.startSeq}
                  help={streamQuery.data ? `Kept now: ${count(streamQuery.data.state.first_seq)} to ${count(streamQuery.data.state.last_seq)}.` : null}
                >
                  {(id, described) => (
                    <span className={form.errors.startSeq ? 'input mono wrong' : 'input mono'} style={{ maxWidth: 220 }}>
                      <input id={id} inputMode="numeric" aria-describedby={described} {...inputProps(form, 'startSeq')} />
                    </span>
                  )}
                </Field>
              ) : null}
              <label className="check">
                <input type="checkbox" checked={values.headersOnly} onChange={(event) => form.setFieldValue('headersOnly', event.target.checked)} />
                Deliver headers only, no payload
              </label>
            </div>
          </div>
          <div className="form-group">
            <h2>Acknowledgement</h2>
            <div>
              <Choice
                label="A message is done when"
                value={values.ack}
                onChange={(value) => form.setFieldValue('ack', value)}
                options={[
                  { value: 'explicit', label: 'It is acknowledged' },
                  { value: 'all', label: 'A later one is' },
                  { value: 'none', label: 'It is delivered' },
                ]}
              />
              {values.ack === 'none' ? null : (
                <div className="pair">
                  <AmountField
                    label="Wait for the ack"
                    placeholder="30"
                    help="After that it comes again."
                    value={values.ackWait}
                    onChange={(value) => form.setFieldValue('ackWait', value)}
                    onBlur={() => void form.validateField('ackWait')}
                    error={form.errors.ackWait}
                    unit={{ value: values.ackWaitUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('ackWaitUnit', unit) }}
                  />
                  <AmountField
                    label="Deliver at most"
                    placeholder="no limit"
                    help="Times, for one message."
                    value={values.maxDeliver}
                    onChange={(value) => form.setFieldValue('maxDeliver', value)}
                    onBlur={() => void form.validateField('maxDeliver')}
                    error={form.errors.maxDeliver}
                  />
                  <AmountField
                    label="Out for ack at once"
                    placeholder="no limit"
                    help="Messages; then delivery pauses. Default 1,000."
                    value={values.maxAckPending}
                    onChange={(value) => form.setFieldValue('maxAckPending', value)}
                    onBlur={() => void form.validateField('maxAckPending')}
                    error={form.errors.maxAckPending}
                  />
                </div>
              )}
            </div>
          </div>
          <div className="action-bar">
            <Button type="submit" look="primary" blocked={busy ? 'The consumer is being created.' : wrong > 0 ? `${wrong} ${wrong === 1 ? 'field' : 'fields'} to mend` : null}>
              {busy ? 'Creating consumer' : 'Create consumer'}
            </Button>
            <ButtonLink look="ghost" to="/accounts/$account/streams/$stream" params={{ account, stream }} search={{ tab: 'consumers' }}>
              Cancel
            </ButtonLink>
            {wrong > 0 ? (
              <StateMark state="fault">
                {wrong} {wrong === 1 ? 'field' : 'fields'} to mend
              </StateMark>
            ) : null}
          </div>
          {failure ? <ErrorLine error={failure} /> : null}
        </form>
        <aside>
          <div className="label">What this will do</div>
          <p style={{ fontSize: 'var(--t-lg)', lineHeight: '24px', margin: '4px 0 18px' }} aria-live="polite">
            {consumerSentence(values)}
          </p>
          <CodeTabs tabs={consumerCreateTabs(account, stream, config)} label="The same as code" />
        </aside>
      </div>
    </>
  );
}
