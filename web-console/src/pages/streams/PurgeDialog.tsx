import { useQuery } from '../../api/use-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import type { Stream } from '../../api/types';
import { bytes, count } from '../../lib/format';
import { subjectProblem } from '../../lib/subject';
import { useDebounced } from '../../lib/use-debounced';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Field } from '../../ui/Field';
import { noteDone } from '../../ui/done-notes';

interface Props {
  account: string;
  stream: Stream;
  opened: boolean;
  onClose: () => void;
}

/** Removes messages; a dry run says how many before the name is typed. */
export function PurgeDialog({ account, stream, opened, onClose }: Props) {
  const refresh = useRefresh();
  const [subject, setSubject] = useState('');
  const problem = subject ? subjectProblem(subject) : null;
  const asked = useDebounced(subject, 400);
  const dryRun = useQuery({
    queryKey: ['purge-dry-run', account, stream.name, asked],
    enabled: opened && !problem,
    staleTime: 0,
    retry: false,
    queryFn: async () => {
      const { data } = await api.POST('/v1/accounts/{account}/streams/{stream}/actions/purge', {
        params: { path: { account, stream: stream.name }, query: { dry_run: true } },
        body: asked ? { subject: asked } : {},
      });
      return data && 'would_purge' in data ? data.would_purge : null;
    },
  });
  const would = dryRun.data;
  return (
    <DangerDialog
      opened={opened}
      onClose={() => {
        setSubject('');
        onClose();
      }}
      act="Purge stream"
      name={stream.name}
      impact={[
        {
          what: 'Messages removed',
          figure: would?.messages ? count(would.messages) : dryRun.isFetching ? 'counting' : 'unknown',
          more: would && would.bytes !== null ? bytes(would.bytes) : `of ${count(stream.state.messages)}`,
        },
        { what: 'Consumers that lose what they have not had', figure: count(stream.state.consumer_count) },
      ]}
      consequence="The stream, its configuration and its consumers stay. The messages cannot be brought back."
      onConfirm={async () => {
        const { data } = await api.POST('/v1/accounts/{account}/streams/{stream}/actions/purge', {
          params: { path: { account, stream: stream.name } },
          body: subject ? { subject } : {},
        });
        await refresh('stream', 'streams', 'messages', 'subjects', 'consumers', 'account');
        noteDone(data && 'purged' in data ? `Stream ${stream.name} purged: ${count(data.purged)} messages removed.` : `Stream ${stream.name} purged.`);
      }}
    >
      <Field label="Only messages of" optional error={problem} help="A subject or filter. Empty purges the whole stream.">
        {(id, described) => (
          <span className={problem ? 'input mono wrong' : 'input mono'}>
            <input id={id} aria-describedby={described} value={subject} placeholder={stream.subjects[0] ?? '>'} autoComplete="off" spellCheck={false} onChange={(event) => setSubject(event.target.value)} />
          </span>
        )}
      </Field>
      {dryRun.error ? <ErrorLine error={asApiError(dryRun.error)} /> : null}
    </DangerDialog>
  );
}
