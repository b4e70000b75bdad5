import type { ClusterInfo } from '../api/types';
import { type MemberState, quorum } from '../lib/quorum';
import { StateMark } from './StateMark';
import { Tip } from './Tip';

function Vessel({ x, state }: { x: number; state: MemberState | 'unknown' }) {
  switch (state) {
    case 'leader':
      return (
        <>
          <path d={`M${x + 0.5} 1.2h9`} stroke="currentColor" strokeWidth="2.2" />
          <rect x={x + 1.5} y="4" width="7" height="11" fill="currentColor" />
        </>
      );
    case 'behind':
      return (
        <>
          <rect x={x + 2.1} y="4.6" width="5.8" height="9.8" fill="none" stroke="var(--watch)" strokeWidth="1.3" />
          <rect x={x + 2} y="10" width="6" height="4.6" fill="var(--watch)" />
        </>
      );
    case 'lost':
      return <rect x={x + 2.1} y="4.6" width="5.8" height="9.8" fill="none" stroke="var(--fault)" strokeWidth="1.3" strokeDasharray="2 1.6" />;
    default:
      return <rect x={x + 1.5} y="4" width="7" height="11" fill="currentColor" opacity=".45" />;
  }
}

/** How many more losses a stream survives: its replicas as vessels in the order of the zones, and the margin in words. */
export function QuorumMark({ replicas, cluster }: { replicas: number; cluster?: ClusterInfo | null | undefined }) {
  const found = quorum(replicas, cluster);
  const states: (MemberState | 'unknown')[] = found.replicas.map((replica) => replica.state);
  while (states.length < found.size) states.push(found.state === 'solo' ? 'leader' : found.state === 'unknown' ? 'unknown' : 'lost');
  const width = found.size * 11 + 1;
  return (
    <Tip label={found.means}>
      <span className={`quorum ${found.state}`}>
        <svg width={width} height="16" viewBox={`0 0 ${width} 16`} aria-hidden="true">
          {states.map((state, i) => (
            <Vessel key={i} x={i * 11} state={state} />
          ))}
        </svg>
        <b>{found.word}</b>
        {found.state === 'bare' ? <StateMark state="watch" hidden="no replica to spare" /> : found.state === 'lost' ? <StateMark state="fault" hidden="no quorum" /> : null}
      </span>
    </Tip>
  );
}
