import type { Account } from '../api/types';

type JetStream = NonNullable<Account['limits']['jetstream']>;

/** JetStream limits as one: with tiers, those of all tiers together; -1 where any of them has none. */
export function jetStream(account: Account): JetStream {
  if (account.limits.jetstream) return account.limits.jetstream;
  const tiers = Object.values((account.limits.tiers ?? {}) as Record<string, JetStream>);
  const sum = (field: keyof JetStream) => (tiers.length === 0 || tiers.some((tier) => Number(tier[field]) < 0) ? -1 : tiers.reduce((total, tier) => total + Number(tier[field]), 0));
  return {
    memory_bytes: sum('memory_bytes'),
    storage_bytes: sum('storage_bytes'),
    streams: sum('streams'),
    consumers: sum('consumers'),
    max_ack_pending: sum('max_ack_pending'),
    memory_max_stream_bytes: sum('memory_max_stream_bytes'),
    storage_max_stream_bytes: sum('storage_max_stream_bytes'),
    max_bytes_required: tiers.some((tier) => tier.max_bytes_required),
  };
}

export function storageLimit(account: Account): number {
  return jetStream(account).storage_bytes;
}
