import { useForm } from '@mantine/form';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, newIdempotencyKey } from '../../api/client';
import { type ApiError, asApiError } from '../../api/error';
import { useConsumers, useRefresh, useStream } from '../../api/queries';
import { consumerCreateTabs } from '../../lib/code-tabs';
import { type ConsumerForm, consumerErrors, consumerSentence, EMPTY_CONSUMER, toConsumer } from '../../lib/consumer-model';
import { Button, ButtonLink } from '../../ui/Button';
import { CodeTabs } from '../../ui/Code';
import { ErrorLine } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';
import { noteDone } from '../../ui/done-notes';
import { ConsumerFields, type ConsumerFormApi, consumerReasons } from './ConsumerFields';

export function ConsumerCreatePage() {
  const { account, stream } = useParams({ from: '/accounts/$account/streams/$stream/consumers/~new' });
  const navigate = useNavigate();
  const refresh = useRefresh();
  const streamQuery = useStream(account, stream);
  const consumers = useConsumers(account, stream);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  // Kept only when the answer got lost: pressing again then repeats the call instead of making a second one.
  const [unanswered, setUnanswered] = useState<{ config: string; key: string } | null>(null);
  const form = useForm<ConsumerForm & Record<string, unknown>>({
    initialValues: { ...EMPTY_CONSUMER },
    validateInputOnBlur: true,
    validate: (values) => consumerErrors(values),
  }) as ConsumerFormApi;

  const values = form.values;
  const config = toConsumer(values);
  const taken = (consumers.data ?? []).some((consumer) => consumer.name === values.name);
  const wrong = Object.keys(form.errors).length + (taken && !form.errors.name ? 1 : 0);

  const submit = form.onSubmit(async () => {
    if (taken || busy) return;
    setBusy(true);
    setFailure(null);
    const text = JSON.stringify(config);
    const key = unanswered?.config === text ? unanswered.key : newIdempotencyKey();
    try {
      await api.POST('/v1/accounts/{account}/streams/{stream}/consumers', {
        params: { path: { account, stream }, header: { 'Idempotency-Key': key } },
        body: config,
      });
      await refresh('consumers', 'stream', 'streams', 'account');
      noteDone(`Consumer ${config.name} created.`);
      await navigate({ to: '/accounts/$account/streams/$stream/consumers/$consumer', params: { account, stream, consumer: config.name } });
    } catch (error) {
      const failed = asApiError(error);
      form.setErrors(consumerReasons(failed));
      setFailure(failed);
      setUnanswered(failed.isOffline ? { config: text, key } : null);
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
            <span>Create consumer of <span className="mono">{stream}</span></span>
          </>
        }
        facts={<span>It remembers how far a group of clients has read.</span>}
      />
      <div className="form-grid">
        <form onSubmit={submit} noValidate>
          <ConsumerFields form={form} streamName={stream} stream={streamQuery.data} taken={taken} />
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
