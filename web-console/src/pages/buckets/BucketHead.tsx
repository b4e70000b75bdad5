import { Menu } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '../../api/use-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dryBody, newIdempotencyKey } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import type { KvBucket, ObjectBucket } from '../../api/types';
import type { BucketKind } from '../../lib/bucket-model';
import { durationShort, parseDuration } from '../../lib/duration';
import { bytes, dateTime } from '../../lib/format';
import { impactRows } from '../../lib/impact-words';
import { usePrefs } from '../../lib/prefs';
import { GuardedLink } from '../../frame/GuardedLink';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { MoreActions } from '../../ui/MoreActions';
import { PageHead } from '../../ui/Page';
import { QuorumMark } from '../../ui/QuorumMark';
import { CopyTerraform } from '../../ui/Terraform';
import { noteDone } from '../../ui/done-notes';
import { KINDS } from './kinds';

async function restore(account: string, kind: BucketKind, bucket: string): Promise<void> {
  const params = { path: { account, bucket }, header: { 'Idempotency-Key': newIdempotencyKey() } };
  if (kind === 'kv') await api.POST('/v1/accounts/{account}/kv/{bucket}/actions/restore', { params });
  else await api.POST('/v1/accounts/{account}/objects/{bucket}/actions/restore', { params });
}

/** Title, facts and acts of one bucket. */
export function BucketHead({ account, kind, bucket, blocked }: { account: string; kind: BucketKind; bucket: KvBucket | ObjectBucket; blocked: string | null }) {
  const spec = KINDS[kind];
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { zone } = usePrefs();
  const [deleting, setDeleting] = useState(false);
  const options = (dry: boolean) => ({ params: { path: { account, bucket: bucket.name }, header: { 'If-Match': bucket.etag }, query: dry ? { dry_run: true } : {} } });
  const impact = useQuery({
    queryKey: ['delete-impact', account, kind, bucket.name, bucket.etag],
    enabled: deleting,
    staleTime: 0,
    queryFn: async () => dryBody(kind === 'kv' ? await api.DELETE('/v1/accounts/{account}/kv/{bucket}', options(true)) : await api.DELETE('/v1/accounts/{account}/objects/{bucket}', options(true))),
  });
  const until = impact.data?.restorable_until ?? null;
  return (
    <>
      <PageHead
        tab={bucket.name}
        title={<span className="mono">{bucket.name}</span>}
        facts={
          <>
            <span>{'history' in bucket ? (bucket.history > 1 ? `Last ${bucket.history} values of each key` : 'Newest value of each key') : 'Objects'}{parseDuration(bucket.ttl) ? ` for ${durationShort(bucket.ttl)}` : ''}</span>
            <span>
              {bytes(bucket.bytes)}
              {bucket.max_bytes > 0 ? ` of ${bytes(bucket.max_bytes)}` : ''}
            </span>
            <span className="line">
              {bucket.storage === 'file' ? 'File' : 'Memory'} storage <QuorumMark replicas={bucket.num_replicas} cluster={bucket.cluster} />
            </span>
            <Link to="/accounts/$account/streams/$stream" params={{ account, stream: bucket.stream_name }}>
              Stream behind it
            </Link>
            {bucket.description ? <span>{bucket.description}</span> : null}
          </>
        }
        actions={
          <>
            <CopyTerraform kind={kind === 'kv' ? 'kv_bucket' : 'object_bucket'} object={bucket} what={`bucket ${bucket.name}`} />
            <GuardedLink needs={kind === 'kv' ? 'kv:write' : 'objects:write'} to={spec.edit} params={{ account, bucket: bucket.name }}>
              <IconPencil size={15} stroke={1.6} aria-hidden="true" />
              Edit
            </GuardedLink>
            <MoreActions what="delete" blocked={blocked}>
              <Menu.Item data-autofocus className="menu-item danger" onClick={() => setDeleting(true)} leftSection={<IconTrash size={16} stroke={1.6} aria-hidden="true" />}>
                Delete bucket
              </Menu.Item>
            </MoreActions>
          </>
        }
      />
      <DangerDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        act="Delete bucket"
        name={bucket.name}
        impact={impactRows(impact.data?.affected)}
        consequence={impact.error ? <ErrorLine error={asApiError(impact.error)} /> : until ? `Reads and writes fail from now on. It can be restored with its contents until ${dateTime(until, zone)}, under Settings.` : 'Reads and writes fail from now on. There is no undo.'}
        onConfirm={async () => {
          if (kind === 'kv') await api.DELETE('/v1/accounts/{account}/kv/{bucket}', options(false));
          else await api.DELETE('/v1/accounts/{account}/objects/{bucket}', options(false));
          noteDone(
            `Bucket ${bucket.name} deleted.`,
            until
              ? async () => {
                  await restore(account, kind, bucket.name);
                  await refresh(spec.root, 'streams', 'deleted-streams');
                }
              : undefined,
          );
          await navigate({ to: spec.list, params: { account } });
          await refresh(spec.root, 'streams', 'account', 'deleted-streams');
        }}
      />
    </>
  );
}
