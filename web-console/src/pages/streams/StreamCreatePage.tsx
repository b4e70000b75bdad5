import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, newIdempotencyKey } from '../../api/client';
import { ApiError, asApiError } from '../../api/error';
import { useAccount, useRefresh, useStreams } from '../../api/queries';
import type { StreamCreate, StreamDryRun } from '../../api/types';
import { streamCreateTabs } from '../../lib/code-tabs';
import { briefConfig, EMPTY_STREAM, type StreamForm, streamErrors, toConfig } from '../../lib/stream-model';
import { useDebounced } from '../../lib/use-debounced';
import { Button, ButtonLink } from '../../ui/Button';
import { ErrorLine } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';
import { noteDone } from '../../ui/done-notes';
import { StreamAside } from './StreamAside';
import { overlapOf, StreamFields, type StreamFormApi } from './StreamFields';

const FIELD_OF: Record<string, keyof StreamForm> = {
  name: 'name',
  subjects: 'subjects',
  max_age: 'maxAge',
  max_bytes: 'maxBytes',
  max_msgs: 'maxMsgs',
  max_msgs_per_subject: 'maxMsgsPerSubject',
  max_msg_size: 'maxMsgSize',
  duplicate_window: 'dupWindow',
};

/** Server reasons by the field of the form that can mend them. */
export function formReasons(error: ApiError): Partial<Record<keyof StreamForm, string>> {
  const reasons: Partial<Record<keyof StreamForm, string>> = {};
  for (const [path, reason] of Object.entries(error.fieldReasons)) {
    const field = FIELD_OF[path.split(/[.[]/)[0] ?? ''];
    if (field) reasons[field] = reason;
  }
  if (error.code === 'subject_overlap') reasons.subjects = error.message;
  if (error.code === 'already_exists') reasons.name = error.message;
  return reasons;
}

/** Asks the broker, half a second after the last change, whether it would take the stream. */
function useDryRun(account: string, config: StreamCreate, complete: boolean) {
  const shown = JSON.stringify(config);
  const asked = useDebounced(shown, 500);
  const query = useQuery({
    queryKey: ['dry-run', account, asked],
    enabled: complete && asked === shown,
    retry: false,
    staleTime: 30_000,
    queryFn: async () => {
      const { data } = await api.POST('/v1/accounts/{account}/streams', {
        params: { path: { account }, query: { dry_run: true } },
        body: JSON.parse(asked) as StreamCreate,
      });
      return data as StreamDryRun;
    },
  });
  if (!complete) return { state: 'incomplete' as const };
  if (asked !== shown || query.isFetching) return { state: 'asking' as const };
  if (query.error) return { state: 'refused' as const, error: asApiError(query.error) };
  return query.data ? { state: 'fits' as const, affected: query.data.affected } : { state: 'asking' as const };
}

export function StreamCreatePage() {
  const { account } = useParams({ from: '/accounts/$account/streams/~new' });
  const navigate = useNavigate();
  const refresh = useRefresh();
  const streams = useStreams(account);
  const accountQuery = useAccount(account);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  // Kept only when the answer got lost: pressing again then repeats the call instead of making a second one.
  const [unanswered, setUnanswered] = useState<{ config: string; key: string } | null>(null);
  const form = useForm<StreamForm & Record<string, unknown>>({
    initialValues: { ...EMPTY_STREAM },
    validateInputOnBlur: true,
    validate: (values) => streamErrors(values),
  }) as StreamFormApi;

  const config = useMemo(() => toConfig(form.values), [form.values]);
  const others = streams.data?.data ?? [];
  const problems = streamErrors(form.values);
  const overlap = overlapOf(form.values.subjects, others);
  const taken = others.some((other) => other.name === form.values.name);
  const complete = Object.keys(problems).length === 0 && !overlap && !taken;
  const dryRun = useDryRun(account, config, complete);
  const shownWrong = Object.keys(form.errors).length + (overlap && !form.errors.subjects ? 1 : 0) + (taken && !form.errors.name ? 1 : 0);

  const submit = form.onSubmit(async () => {
    if (overlap || taken) return;
    setBusy(true);
    setFailure(null);
    const text = JSON.stringify(config);
    const key = unanswered?.config === text ? unanswered.key : newIdempotencyKey();
    try {
      await api.POST('/v1/accounts/{account}/streams', {
        params: { path: { account }, header: { 'Idempotency-Key': key } },
        body: config,
      });
      await refresh('streams', 'account', 'onboarding');
      noteDone(`Stream ${config.name} created.`);
      await navigate({ to: '/accounts/$account/streams/$stream', params: { account, stream: config.name } });
    } catch (error) {
      const failed = asApiError(error);
      form.setErrors(formReasons(failed));
      setFailure(failed);
      setUnanswered(failed.isOffline ? { config: text, key } : null);
    } finally {
      setBusy(false);
    }
  });

  const blocked = busy ? 'The stream is being created.' : shownWrong > 0 ? `${shownWrong} ${shownWrong === 1 ? 'field' : 'fields'} to mend` : null;
  return (
    <>
      <PageHead tab="Create stream" title="Create stream" facts={<span>Everything here can be copied as JSON, a nats command or curl before you press Create.</span>} />
      <div className="form-grid">
        <form onSubmit={submit} noValidate>
          <StreamFields form={form} others={others} account={account} />
          <div className="action-bar">
            <Button type="submit" look="primary" blocked={blocked}>
              {busy ? 'Creating stream' : 'Create stream'}
            </Button>
            <ButtonLink look="ghost" to="/accounts/$account/streams" params={{ account }}>
              Cancel
            </ButtonLink>
            {shownWrong > 0 ? (
              <StateMark state="fault">
                {shownWrong} {shownWrong === 1 ? 'field' : 'fields'} to mend
              </StateMark>
            ) : null}
          </div>
          {failure ? <ErrorLine error={failure} /> : null}
        </form>
        <StreamAside form={form.values} account={accountQuery.data} dryRun={dryRun} tabs={streamCreateTabs(account, briefConfig(form.values))} />
      </div>
    </>
  );
}
