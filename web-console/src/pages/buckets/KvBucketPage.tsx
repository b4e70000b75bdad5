import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useKvBucket, useKvKeys } from '../../api/resources';
import type { KvKey } from '../../api/types';
import { useDenied } from '../../frame/permissions';
import { count } from '../../lib/format';
import { shell } from '../../lib/code-tabs';
import { Button } from '../../ui/Button';
import { Command } from '../../ui/Copy';
import { KeysHint } from '../../ui/KeysHint';
import { Listing } from '../../ui/Listing';
import { Empty, NoMatch } from '../../ui/states';
import { useTableKeys } from '../../ui/use-table-keys';
import { BucketHead } from './BucketHead';
import { isMissing, NoBucket } from './NoBucket';
import { EntryViewer } from './EntryViewer';
import { NewEntryDialog } from './NewEntryDialog';

const keyOf = (entry: KvKey) => entry.key;

export function KvBucketPage() {
  const { account, bucket: name } = useParams({ from: '/accounts/$account/kv/$bucket/' });
  const search = useSearch({ from: '/accounts/$account/kv/$bucket/' });
  const navigate = useNavigate();
  const bucket = useKvBucket(account, name);
  const wanted = search.q ?? '';
  // Wildcards are the broker's to match; a word is looked for among the keys that were read.
  const byBroker = /[*>]/.test(wanted);
  const keys = useKvKeys(account, name, byBroker ? wanted : '');
  const rows = useMemo(() => (keys.data?.data ?? []).filter((entry) => byBroker || entry.key.toLowerCase().includes(wanted.toLowerCase())), [keys.data, byBroker, wanted]);
  const [adding, setAdding] = useState(false);
  const filter = useRef<HTMLInputElement>(null);
  const noBucket = useDenied('kv:write');
  const no = useDenied('messages:write');
  const go = (change: { q?: string | undefined; key?: string | undefined }) =>
    void navigate({
      to: '/accounts/$account/kv/$bucket',
      params: { account, bucket: name },
      search: (before) => {
        const next = { ...before, ...change };
        return { ...(next.q ? { q: next.q } : {}), ...(next.key ? { key: next.key } : {}) };
      },
      replace: true,
      resetScroll: false,
    });
  const active = useTableKeys({ rows, id: keyOf, onOpen: (entry) => go({ key: entry.key }), onMove: (entry) => go({ key: entry.key }), copy: keyOf, filter });
  const chosen = search.key ?? null;
  const add = (
    <Button look="primary" blocked={no} onClick={() => setAdding(true)}>
      <IconPlus size={15} stroke={1.8} aria-hidden="true" />
      Put key
    </Button>
  );

  if (isMissing(bucket)) return <NoBucket account={account} kind="kv" name={name} />;
  return (
    <Listing page query={bucket} what={`bucket ${name}`} columns={['Key', 'Values']}>
      {(data) => (
        <>
          <BucketHead account={account} kind="kv" bucket={data} blocked={noBucket} />
          <div className="toolbar">
            <span className="input quiet fill" style={{ width: 320 }}>
              <input ref={filter} className="mono" aria-label="Filter keys" placeholder="Filter keys; * and > match tokens" value={wanted} onChange={(event) => go({ q: event.target.value })} />
              <kbd>/</kbd>
            </span>
            <span className="to-end">{add}</span>
          </div>
          <Listing
            query={keys}
            what={`keys of ${name}`}
            columns={['Key', 'Values']}
            isEmpty={() => rows.length === 0 && wanted === '' && chosen === null}
            empty={
              <Empty title="No key yet" drawing={false}>
                <p className="ink2">A key is a subject: limits.daily and limits.monthly share a branch that can be watched at once.</p>
                <Command>{`nats kv put ${shell(name)} limits.daily 100`}</Command>
                {add}
              </Empty>
            }
          >
            {() => (
              <div className="split">
                <div>
                  {rows.length === 0 ? (
                    <NoMatch title="No key matches" filters={[{ name: 'key', value: wanted, onRemove: () => go({ q: undefined }) }]} onClear={() => go({ q: undefined })}>
                      {data.values ? `The bucket holds ${count(data.values)} values.` : 'The bucket is empty.'}
                    </NoMatch>
                  ) : (
                    <table className="pick">
                      <caption className="vh">Keys of {name}</caption>
                      <thead>
                        <tr>
                          <th>Key</th>
                          <th className="num">Values kept</th>
                        </tr>
                      </thead>
                      <tbody>
                        {rows.map((entry) => (
                          <tr key={entry.key} id={`row-${entry.key}`} className={[chosen === entry.key && 'picked', active === entry.key && 'at-keys'].filter(Boolean).join(' ') || undefined} onClick={() => go({ key: entry.key })}>
                            <td>
                              <button
                                type="button"
                                className="row-button break"
                                aria-pressed={chosen === entry.key}
                                onClick={(event) => {
                                  event.stopPropagation();
                                  go({ key: entry.key });
                                }}
                              >
                                {entry.key}
                              </button>
                            </td>
                            <td className={entry.revisions === '1' ? 'num ink3' : 'num'}>{count(entry.revisions)}</td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  )}
                  <div className="table-foot">
                    <span>
                      {rows.length} {rows.length === 1 ? 'key' : 'keys'}
                      {keys.data?.page.next ? '; the bucket has more than the 500 read: filter with * or >' : ''}
                    </span>
                    <KeysHint copies="key" />
                  </div>
                </div>
                <div className="viewer">
                  {chosen ? (
                    <EntryViewer key={chosen} account={account} bucket={data} entryKey={chosen} blocked={no} onGone={() => go({ key: undefined })} />
                  ) : (
                    <p className="ink3 viewer-body">Choose a key to see and change its value.</p>
                  )}
                </div>
              </div>
            )}
          </Listing>
          {adding ? <NewEntryDialog account={account} bucket={name} taken={(keys.data?.data ?? []).map(keyOf)} onClose={() => setAdding(false)} onDone={(key) => go({ key, q: undefined })} /> : null}
        </>
      )}
    </Listing>
  );
}
