import { count, shortCount } from '../lib/format';
import type { Timeline } from '../lib/timeline';

interface Props {
  line: Timeline;
  pending: string;
  ackPending: number;
  redelivered: number;
  /** max_ack_pending when it is reached. */
  atLimit: boolean;
  endNote: string;
}

const LEFT = 1;
const WIDE = 1157;
const MOST_TICKS = 60;

function textAnchor(x: number): 'start' | 'middle' | 'end' {
  return x < 60 ? 'start' : x > 1100 ? 'end' : 'middle';
}

/** One pipe from the first kept message to the stream's end, by sequence. */
export function SeqTimeline({ line, pending, ackPending, redelivered, atLimit, endNote }: Props) {
  const floor = LEFT + line.ackFloorAt * WIDE;
  const delivered = LEFT + line.deliveredAt * WIDE;
  const end = LEFT + WIDE;
  const ticks = Math.min(ackPending, MOST_TICKS, Math.max(0, Math.floor((delivered - floor) / 6)));
  const acknowledged = line.ackFloor - line.firstSeq + 1n;
  const label =
    `Sequence timeline. Acknowledged up to ${count(line.ackFloor)}. ${count(BigInt(ackPending))} out for acknowledgement, ` +
    `${count(BigInt(redelivered))} of them redelivered. ${count(pending)} not yet delivered. Stream end ${count(line.lastSeq)}.`;
  const near = delivered - floor < 120;
  return (
    <div className="timeline">
      <div className="timeline-wide">
        <svg viewBox="0 0 1160 158" width="100%" role="img" aria-label={label}>
          <rect x={LEFT} y="62" width={Math.max(0, floor - LEFT)} height="34" fill="var(--water-level)" />
          <rect x={floor} y="62" width={Math.max(0, delivered - floor)} height="34" fill="var(--watch-tint)" />
          <rect x={delivered} y="62" width={Math.max(0, end - delivered)} height="34" fill="var(--well)" />
          <path d="M0 62H1158M0 96H1158" stroke="var(--wall)" strokeWidth="2.5" />
          <path d="M1158 54v50" stroke="var(--ink)" strokeWidth="2.5" />
          {Array.from({ length: ticks }, (_, i) => (
            <path
              key={i}
              d={`M${floor + 6 + (i * (delivered - floor - 8)) / Math.max(1, ticks)} 68v22`}
              stroke={i < redelivered ? 'var(--fault)' : 'var(--watch)'}
              strokeWidth="2"
            />
          ))}
          {line.broken ? (
            <>
              <path d="M200 56l8 46M208 56l8 46" stroke="var(--sheet)" strokeWidth="4" />
              <path d="M197 56l8 46M211 56l8 46" stroke="var(--wall)" strokeWidth="1.5" />
            </>
          ) : null}
          <path d={`M${floor} 50v52`} stroke="var(--ink)" strokeWidth="2" />
          <path d={`M${floor} 104l-7 10h14z`} fill="var(--ink)" />
          {near ? null : (
            <>
              <path d={`M${delivered} 50v52`} stroke="var(--ink)" strokeWidth="2" />
              <path d={`M${delivered} 104l-7 10h14z`} fill="var(--ink)" />
            </>
          )}
          {floor > 150 ? (
            <>
              <text x="0" y="132" className="strong">
                First kept
              </text>
              <text x="0" y="149" className="mono-text">
                {count(line.firstSeq)}
              </text>
            </>
          ) : null}
          <g textAnchor={textAnchor(floor)}>
            <text x={floor} y="132" className="strong">
              {near ? 'Ack floor, last delivered' : 'Ack floor'}
            </text>
            <text x={floor} y="149" className="mono-text">
              {count(line.ackFloor)}
              {near && line.delivered !== line.ackFloor ? `, ${count(line.delivered)}` : ''}
            </text>
          </g>
          {near || delivered > 1010 ? null : (
            <g textAnchor={textAnchor(delivered)}>
              <text x={delivered} y="132" className="strong">
                Last delivered
              </text>
              <text x={delivered} y="149" className="mono-text">
                {count(line.delivered)}
              </text>
            </g>
          )}
          {floor < 940 ? (
            <g textAnchor="end">
              <text x="1160" y="132" className="strong">
                Stream end{endNote}
              </text>
              <text x="1160" y="149" className="mono-text">
                {count(line.lastSeq)}
              </text>
            </g>
          ) : null}
          <g fontSize="13">
            {floor > 150 ? (
              <text x="0" y="44">
                <tspan className="strong">{shortCount(acknowledged)}</tspan> acknowledged
              </text>
            ) : null}
            {ackPending > 0 && delivered > 190 ? (
              <text x={delivered - 8} y="44" textAnchor="end">
                <tspan fontWeight="600" fill="var(--watch)">
                  {count(BigInt(ackPending))}
                </tspan>{' '}
                out for ack{atLimit ? ', the limit' : ''}
                {redelivered > 0 ? `, ${count(BigInt(redelivered))} redelivered` : ''}
              </text>
            ) : null}
            {delivered < 960 ? (
              <text x={delivered + 10} y="44">
                <tspan className="strong">{count(pending)}</tspan> not yet delivered
              </text>
            ) : null}
          </g>
        </svg>
      </div>
      <div className="timeline-narrow">
        <div className="timeline-bar" aria-hidden="true">
          <span className="done" style={{ flex: Math.max(0.001, line.ackFloorAt) }} />
          <span className="out" style={{ flex: Math.max(0.001, line.deliveredAt - line.ackFloorAt) }} />
          <span className="left" style={{ flex: Math.max(0.001, 1 - line.deliveredAt) }} />
        </div>
        <dl className="pairs" style={{ marginTop: 10 }}>
          <dt>Acknowledged</dt>
          <dd>
            <b>{shortCount(acknowledged)}</b>, floor <span className="mono">{count(line.ackFloor)}</span>
          </dd>
          <dt>Out for ack</dt>
          <dd>
            <b>{count(BigInt(ackPending))}</b>
            {redelivered > 0 ? `, ${count(BigInt(redelivered))} redelivered` : ''}
          </dd>
          <dt>Not delivered</dt>
          <dd>
            <b>{count(pending)}</b> after <span className="mono">{count(line.delivered)}</span>
          </dd>
          <dt>Stream end</dt>
          <dd>
            <span className="mono">{count(line.lastSeq)}</span>
            {endNote}
          </dd>
        </dl>
      </div>
    </div>
  );
}
