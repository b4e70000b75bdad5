import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useKvBucket, useKvBuckets, useObjectBucket, useObjectBuckets } from '../../api/resources';
import type { KvBucket, ObjectBucket } from '../../api/types';
import { useHere } from '../../frame/here';
import { emptyBucket, fromBucket } from '../../lib/bucket-model';
import { Listing } from '../../ui/Listing';
import { BucketEditor } from './BucketEditor';
import { isMissing, NoBucket } from './NoBucket';

export function KvCreatePage() {
  const { account } = useParams({ from: '/accounts/$account/kv/~new' });
  const { project } = useHere();
  const buckets = useKvBuckets(account);
  return <BucketEditor account={account} kind="kv" first={emptyBucket('kv', project.environment === 'production')} start={null} taken={(buckets.data ?? []).map((bucket) => bucket.name)} />;
}

export function ObjectCreatePage() {
  const { account } = useParams({ from: '/accounts/$account/objects/~new' });
  const { project } = useHere();
  const buckets = useObjectBuckets(account);
  return <BucketEditor account={account} kind="object" first={emptyBucket('object', project.environment === 'production')} start={null} taken={(buckets.data ?? []).map((bucket) => bucket.name)} />;
}

export function KvEditPage() {
  const { account, bucket } = useParams({ from: '/accounts/$account/kv/$bucket/edit' });
  const query = useKvBucket(account, bucket);
  const [start, setStart] = useState<KvBucket | null>(null);
  if (query.data && !start) setStart(query.data);
  if (start) return <BucketEditor key={start.etag} account={account} kind="kv" first={fromBucket('kv', start)} start={start} taken={[]} onRestart={(next) => setStart(next as KvBucket)} />;
  if (isMissing(query)) return <NoBucket account={account} kind="kv" name={bucket} />;
  return (
    <Listing page query={query} what={`bucket ${bucket}`}>
      {() => null}
    </Listing>
  );
}

export function ObjectEditPage() {
  const { account, bucket } = useParams({ from: '/accounts/$account/objects/$bucket/edit' });
  const query = useObjectBucket(account, bucket);
  const [start, setStart] = useState<ObjectBucket | null>(null);
  if (query.data && !start) setStart(query.data);
  if (start) return <BucketEditor key={start.etag} account={account} kind="object" first={fromBucket('object', start)} start={start} taken={[]} onRestart={(next) => setStart(next as ObjectBucket)} />;
  if (isMissing(query)) return <NoBucket account={account} kind="object" name={bucket} />;
  return (
    <Listing page query={query} what={`bucket ${bucket}`}>
      {() => null}
    </Listing>
  );
}
