interface Props {
  /** 0 to 100; null is unknown and draws an empty tube. */
  percent: number | null;
  tone?: 'water' | 'watch' | 'fault' | 'held';
  thin?: boolean;
  /** The finding in words, for the tooltip; the figure itself stands beside the tube. */
  title?: string;
}

export function LevelTube({ percent, tone = 'water', thin, title }: Props) {
  return (
    <span className={`tube ${tone}${thin ? ' thin' : ''}`} title={title} aria-hidden="true">
      <i style={{ width: `${percent ?? 0}%` }} />
    </span>
  );
}
