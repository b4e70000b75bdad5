import { type Count, big } from './format';

export interface TimelineInput {
  firstSeq: Count;
  lastSeq: Count;
  ackFloor: Count;
  delivered: Count;
}

export interface Timeline {
  /** Positions on a line from 0 to 1. */
  ackFloorAt: number;
  deliveredAt: number;
  /** True when the part before the ack floor is drawn shorter than it is. */
  broken: boolean;
  firstSeq: bigint;
  lastSeq: bigint;
  ackFloor: bigint;
  delivered: bigint;
}

/** The acknowledged part gets at most this share of the line; past it the line is broken. */
const MOST_ACKED = 0.37;
const LEAST = 0.06;

/** Where ack floor and last delivered stand: linear from the ack floor on, broken before it. */
export function timeline(input: TimelineInput): Timeline {
  const lastSeq = big(input.lastSeq);
  const firstSeq = big(input.firstSeq);
  const clamp = (value: bigint) => (value > lastSeq ? lastSeq : value < firstSeq - 1n ? firstSeq - 1n : value);
  const ackFloor = clamp(big(input.ackFloor));
  const delivered = clamp(big(input.delivered) < ackFloor ? ackFloor : big(input.delivered));
  const total = Number(lastSeq - firstSeq + 1n);
  const base = { firstSeq, lastSeq, ackFloor, delivered };
  if (total <= 0) return { ...base, ackFloorAt: 0, deliveredAt: 0, broken: false };
  const acked = Number(ackFloor - firstSeq + 1n) / total;
  const rest = Number(lastSeq - ackFloor);
  if (rest === 0) return { ...base, ackFloorAt: 1, deliveredAt: 1, broken: false };
  const broken = acked > MOST_ACKED;
  const ackFloorAt = broken ? MOST_ACKED : acked === 0 ? 0 : Math.max(LEAST, acked);
  const deliveredAt = ackFloorAt + (1 - ackFloorAt) * (Number(delivered - ackFloor) / rest);
  return { ...base, ackFloorAt, deliveredAt, broken };
}
