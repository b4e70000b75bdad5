import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useObjectBucket, useObjectItems } from '../../api/resources';
import type { ObjectItem } from '../../api/types';
import { useDenied } from '../../frame/permissions';
import { shell } from '../../lib/code-tabs';
import { bytes, count, exactBytes, exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { Command, CopyButton } from '../../ui/Copy';
import { DangerDialog } from '../../ui/DangerDialog';
import { KeysHint } from '../../ui/KeysHint';
import { Listing } from '../../ui/Listing';
import { ShortKey } from '../../ui/ShortKey';
import { Exact } from '../../ui/Tip';
import { Empty, NoMatch } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { useTableKeys } from '../../ui/use-table-keys';
import { BucketHead } from './BucketHead';
import { isMissing, NoBucket } from './NoBucket';

const nameOf = (item: ObjectItem) => item.name;

export function ObjectBucketPage() {
  const { account, bucket: name } = useParams({ from: '/accounts/$account/objects/$bucket/' });
  const bucket = useObjectBucket(account, name);
  const items = useObjectItems(account, name);
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const filter = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState('');
  const [deleting, setDeleting] = useState<ObjectItem | null>(null);
  const noBucket = useDenied('objects:write');
  const all = items.data?.data ?? [];
  const rows = all.filter((item) => item.name.toLowerCase().includes(wanted.toLowerCase()));
  const active = useTableKeys({ rows, id: nameOf, copy: nameOf, filter });

  if (isMissing(bucket)) return <NoBucket account={account} kind="object" name={name} />;
  return (
    <Listing page query={bucket} what={`bucket ${name}`} columns={['Name', 'Size']}>
      {(data) => (
        <>
          <BucketHead account={account} kind="object" bucket={data} blocked={noBucket} />
          <Listing
            query={items}
            what={`objects of ${name}`}
            columns={['Name', 'Size', 'Changed']}
            isEmpty={() => all.length === 0}
            empty={
              <Empty title="No object yet" drawing={false}>
                <p className="ink2">An object is a file of any size with a name, cut into pieces and checked by its digest when it is read.</p>
                <Command>{`nats object put ${shell(name)} ./report.pdf`}</Command>
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
                  <NoMatch title="No object matches" filters={[{ name: 'name', value: wanted, onRemove: () => setWanted('') }]} onClear={() => setWanted('')}>
                    There are {count(all.length)} without the filter.
                  </NoMatch>
                ) : (
                  <table className="sticky">
                    <caption className="vh">Objects of {name}</caption>
                    <thead>
                      <tr>
                        <th>Name</th>
                        <th className="num">Size</th>
                        <th className="num from-desk">Pieces</th>
                        <th className="from-desk from-1060">Digest</th>
                        <th className="num from-desk">Changed</th>
                        <th>
                          <span className="vh">Actions</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((item) => (
                        <tr key={item.name} id={`row-${item.name}`} className={active === item.name ? 'at-keys' : undefined}>
                          <td>
                            <span className="resource break">{item.name}</span>
                            {item.link ? <span className="tiny ink3"> link to {item.link.name ?? item.link.bucket}</span> : null}
                            {item.description ? <div className="tiny ink3">{item.description}</div> : null}
                          </td>
                          <td className="num">
                            <Exact value={bytes(item.size)} exact={exactBytes(item.size)} />
                          </td>
                          <td className="num ink2 from-desk">{count(item.chunks)}</td>
                          <td className="ink3 from-desk from-1060">{item.digest ? <ShortKey text={item.digest} what={`digest of ${item.name}`}>{item.digest.slice(0, 20)}…</ShortKey> : '–'}</td>
                          <td className="num ink2 from-desk">{item.modified_at ? <Exact value={fromNow(item.modified_at, now)} exact={exactTime(item.modified_at, zone)} /> : '–'}</td>
                          <td className="num">
                            <span className="line row-actions">
                              <CopyButton text={`nats object get ${shell(name)} ${shell(item.name)}`} what={`command that downloads ${item.name}`} />
                              <Button size="compact" look="danger" aria-label={`Delete ${item.name}`} blocked={noBucket ?? (data.sealed ? 'The bucket is sealed.' : null)} onClick={() => setDeleting(item)}>
                                Delete
                              </Button>
                            </span>
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                )}
                <div className="table-foot">
                  <span>
                    {rows.length} of {all.length}
                    {items.data?.page.next ? ' read; the bucket has more' : ''}
                  </span>
                  <KeysHint copies="name" opens={false} />
                </div>
              </>
            )}
          </Listing>
          <DangerDialog
            opened={deleting !== null}
            onClose={() => setDeleting(null)}
            act="Delete object"
            name={deleting?.name ?? ''}
            impact={[
              { what: 'Size', figure: bytes(deleting?.size ?? 0) },
              { what: 'Pieces', figure: count(deleting?.chunks ?? 0) },
            ]}
            consequence="Readers find nothing under the name. There is no undo."
            onConfirm={async () => {
              if (!deleting) return;
              await api.DELETE('/v1/accounts/{account}/objects/{bucket}/items/{item}', { params: { path: { account, bucket: name, item: deleting.name } } });
              await refresh('object-items', 'object-bucket', 'objects');
              noteDone(`Object ${deleting.name} deleted.`);
            }}
          />
        </>
      )}
    </Listing>
  );
}
