export type State = 'steady' | 'watch' | 'fault' | 'held' | 'stale' | 'work';

const DRAWING: Record<State, React.ReactNode> = {
  steady: <circle cx="7" cy="7" r="4.5" fill="currentColor" />,
  watch: (
    <>
      <path d="M7 1.2 13.4 12.6H.6Z" fill="currentColor" />
      <path d="M7 5v3.4M7 10v1.3" stroke="var(--sheet)" strokeWidth="1.5" />
    </>
  ),
  fault: (
    <>
      <path d="M4.2.6h5.6l3.6 3.6v5.6l-3.6 3.6H4.2L.6 9.8V4.2Z" fill="currentColor" />
      <path d="m4.8 4.8 4.4 4.4m0-4.4-4.4 4.4" stroke="var(--sheet)" strokeWidth="1.5" />
    </>
  ),
  held: <path d="M3 2h3v10H3zM8 2h3v10H8z" fill="currentColor" />,
  stale: <circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.6 2.2" />,
  work: (
    <>
      <circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" strokeOpacity=".3" strokeWidth="2" />
      <path d="M7 2a5 5 0 0 1 5 5" fill="none" stroke="currentColor" strokeWidth="2" />
    </>
  ),
};

interface Props {
  state: State;
  /** The word beside the mark. Without one, `hidden` says it to a screen reader. */
  children?: React.ReactNode;
  hidden?: string;
  size?: number;
  className?: string;
}

/** A state as shape, colour and word: none of the three carries it alone. */
export function StateMark({ state, children, hidden, size = 12, className = '' }: Props) {
  return (
    <span className={`state ${state} ${className}`.trim()}>
      <svg width={size} height={size} viewBox="0 0 14 14" aria-hidden="true">
        {DRAWING[state]}
      </svg>
      {children}
      {hidden ? <span className="vh">{hidden}</span> : null}
    </span>
  );
}
