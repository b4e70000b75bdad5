import { useForm } from '@mantine/form';
import { useQuery } from '../../api/use-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, newIdempotencyKey } from '../../api/client';
import { ApiError, asApiError } from '../../api/error';
import { useAccount, useRefresh, useStream, useStreams } from '../../api/queries';
import type { StreamCreate, StreamDryRun } from '../../api/types';
import { streamCreateTabs } from '../../lib/code-tabs';
import { EMPTY_SOURCE } from '../../lib/stream-form';
import { briefConfig, EMPTY_STREAM, fromStream, type StreamForm, streamErrors, toConfig } from '../../lib/stream-model';
import { useHere } from '../../frame/here';
import { useDebounced } from '../../lib/use-debounced';
import { Button, ButtonLink } from '../../ui/Button';
import { ErrorLine, ErrorPanel } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';
import { Loading } from '../../ui/states';
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
  max_consumers: 'maxConsumers',
  mirror: 'mirror',
  sources: 'sources',
  subject_transform: 'transformDest',
  republish: 'republishDest',
  metadata: 'metadata',
  subject_delete_marker_ttl: 'markerTtl',
  discard_new_per_subject: 'discardPerSubject',
  first_seq: 'firstSeq',
  placement: 'placementCluster',
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

/** Starts from an existing stream where the address names one. */
export function StreamCreatePage() {
  const { account } = useParams({ from: '/accounts/$account/streams/~new' });
  const { from } = useSearch({ from: '/accounts/$account/streams/~new' });
  return from ? <CopyOf account={account} from={from} /> : <Creator account={account} start={EMPTY_STREAM} />;
}

function CopyOf({ account, from }: { account: string; from: string }) {
  const query = useStream(account, from);
  if (query.data) {
    // Two streams cannot share a subject: the copy takes what the first one has, then its subjects when that is gone.
    const start = { ...fromStream(query.data), name: `${from}_2`, subjects: [], sources: [{ ...EMPTY_SOURCE, name: from }], sealed: false };
    return <Creator account={account} start={start} from={from} />;
  }
  if (query.error) return <ErrorPanel page what={`Stream ${from} could not be read`} error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  return <Loading what={`stream ${from}`} rows={4} />;
}

function Creator({ account, start, from }: { account: string; start: StreamForm; from?: string }) {
  const navigate = useNavigate();
  const { project } = useHere();
  const refresh = useRefresh();
  const streams = useStreams(account);
  const accountQuery = useAccount(account);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  // Kept only when the answer got lost: pressing again then repeats the call instead of making a second one.
  const [unanswered, setUnanswered] = useState<{ config: string; key: string } | null>(null);
  const form = useForm<StreamForm & Record<string, unknown>>({
    initialValues: { ...start, protect: start.protect || project.environment === 'production' },
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
      <PageHead tab="Create stream" title="Create stream" facts={
          from ? (
            <span>
              Takes over what <span className="mono">{from}</span> holds. Once both are level, delete the old one and give the subjects to the new.
            </span>
          ) : (
            <span>Everything here can be copied as JSON, a nats command, Terraform or curl before you press Create.</span>
          )
        }
      />
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
