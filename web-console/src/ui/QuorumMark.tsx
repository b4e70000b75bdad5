import { Tip } from './Tip';

/** Replication of a stream with one replica: one vessel, no margin. */
export function QuorumMark({ replicas }: { replicas: number }) {
  if (replicas > 1) {
    return <span className="quorum">R{replicas}</span>;
  }
  return (
    <Tip label="One replica: if its node is down, the stream waits until the node is back.">
      <span className="quorum">
        <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
          <path d="M0.5 1.2h9" stroke="currentColor" strokeWidth="2.2" />
          <path d="M1 4h8v11h-8z" fill="currentColor" />
        </svg>
        R1
      </span>
    </Tip>
  );
}
