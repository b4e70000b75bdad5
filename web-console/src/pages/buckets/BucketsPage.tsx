import type { UseQueryResult } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { useKvBuckets, useObjectBuckets } from '../../api/resources';
import type { KvBucket, ObjectBucket } from '../../api/types';
import { useDenied } from '../../frame/permissions';
import type { BucketKind } from '../../lib/bucket-model';
import { durationShort, parseDuration } from '../../lib/duration';
import { bytes, count, exactBytes, plural } from '../../lib/format';
import { Button, ButtonLink } from '../../ui/Button';
import { Command } from '../../ui/Copy';
import { KeysHint } from '../../ui/KeysHint';
import { Listing } from '../../ui/Listing';
import { PageHead } from '../../ui/Page';
import { QuorumMark } from '../../ui/QuorumMark';
import { StateMark } from '../../ui/StateMark';
import { Exact } from '../../ui/Tip';
import { Empty, NoMatch } from '../../ui/states';
import { useTableKeys } from '../../ui/use-table-keys';
import { KINDS } from './kinds';

type Bucket = KvBucket | ObjectBucket;

export function KvPage() {
  const { account } = useParams({ from: '/accounts/$account/kv/' });
  return <Buckets account={account} kind="kv" query={useKvBuckets(account)} />;
}

export function ObjectsPage() {
  const { account } = useParams({ from: '/accounts/$account/objects/' });
  return <Buckets account={account} kind="object" query={useObjectBuckets(account)} />;
}

const nameOf = (bucket: Bucket) => bucket.name;

function Buckets({ account, kind, query }: { account: string; kind: BucketKind; query: UseQueryResult<Bucket[]> }) {
  const spec = KINDS[kind];
  const navigate = useNavigate();
  const no = useDenied(kind === 'kv' ? 'kv:write' : 'objects:write');
  const filter = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState('');
  const all = query.data ?? [];
  const rows = all.filter((bucket) => bucket.name.toLowerCase().includes(wanted.toLowerCase()));
  const open = useCallback((bucket: Bucket) => void navigate({ to: spec.detail, params: { account, bucket: bucket.name } }), [navigate, spec.detail, account]);
  const active = useTableKeys({ rows, id: nameOf, onOpen: open, copy: nameOf, filter });
  const create = no ? (
    <Button look="primary" blocked={no}>
      <IconPlus size={15} stroke={1.8} aria-hidden="true" />
      Create {spec.noun}
    </Button>
  ) : (
    <ButtonLink look="primary" to={spec.create} params={{ account }}>
      <IconPlus size={15} stroke={1.8} aria-hidden="true" />
      Create {spec.noun}
    </ButtonLink>
  );
  return (
    <>
      <PageHead tab={spec.plural} title={spec.plural} facts={query.data ? <span>{plural(all.length, 'bucket')}, {bytes(all.reduce((sum, bucket) => sum + bucket.bytes, 0))} stored</span> : null} actions={create} />
      <Listing
        query={query}
        what={spec.plural}
        columns={['Name', kind === 'kv' ? 'Values' : 'Size', 'Keeps']}
        empty={
          <Empty title={`No ${spec.noun} yet`}>
            <p className="ink2">{spec.purpose}</p>
            <Command>{`nats ${kind} add settings`}</Command>
            {create}
          </Empty>
        }
      >
        {() => (
          <>
            <div className="toolbar">
              <span className="input quiet fill" style={{ width: 280 }}>
                <input ref={filter} aria-label="Filter by name" placeholder="Filter by name" value={wanted} onChange={(event) => setWanted(event.target.value)} />
                <kbd>/</kbd>
              </span>
            </div>
            {rows.length === 0 ? (
              <NoMatch title="No bucket matches" filters={[{ name: 'name', value: wanted, onRemove: () => setWanted('') }]} onClear={() => setWanted('')}>
                There {all.length === 1 ? 'is one bucket' : `are ${count(all.length)} buckets`} without the filter.
              </NoMatch>
            ) : (
              <table className="sticky pick">
                <caption className="vh">{spec.plural}</caption>
                <thead>
                  <tr>
                    <th>Name</th>
                    <th className="from-desk from-1060">Description</th>
                    {kind === 'kv' ? <th className="num">Values</th> : null}
                    <th className="num">Size</th>
                    {kind === 'kv' ? <th className="num from-desk">History</th> : null}
                    <th className="num from-desk">Kept for</th>
                    <th className="from-desk">Storage</th>
                    <th className="from-desk">Replicas</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((bucket) => (
                    <tr key={bucket.name} id={`row-${bucket.name}`} className={active === bucket.name ? 'at-keys' : undefined} onClick={() => open(bucket)}>
                      <td>
                        <span className="line">
                          <StateMark state={'sealed' in bucket && bucket.sealed ? 'held' : 'steady'} hidden={'sealed' in bucket && bucket.sealed ? 'Sealed' : 'Works'} />
                          <Link className="resource" to={spec.detail} params={{ account, bucket: bucket.name }} onClick={(event) => event.stopPropagation()}>
                            {bucket.name}
                          </Link>
                        </span>
                      </td>
                      <td className="ink3 from-desk from-1060 aside-cell" title={bucket.description || undefined}>
                        <div className="cut">{bucket.description}</div>
                      </td>
                      {'values' in bucket ? <td className={bucket.values ? 'num' : 'num ink3'}>{count(bucket.values)}</td> : null}
                      <td className="num">
                        <Exact value={bytes(bucket.bytes)} exact={exactBytes(bucket.bytes)} className={bucket.bytes ? '' : 'ink3'} />
                        {bucket.max_bytes > 0 ? <span className="ink3"> of {bytes(bucket.max_bytes)}</span> : null}
                      </td>
                      {'history' in bucket ? <td className="num from-desk">{bucket.history}</td> : null}
                      <td className="num ink2 from-desk">{parseDuration(bucket.ttl) ? durationShort(bucket.ttl) : 'ever'}</td>
                      <td className="ink2 from-desk">{bucket.storage === 'file' ? 'file' : 'memory'}</td>
                      <td className="from-desk">
                        <QuorumMark replicas={bucket.num_replicas} cluster={bucket.cluster} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <div className="table-foot">
              <span>
                {rows.length} of {all.length}
              </span>
              <KeysHint copies="name" />
            </div>
          </>
        )}
      </Listing>
    </>
  );
}
