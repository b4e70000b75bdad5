import { durationShort } from '../lib/duration';
import { count } from '../lib/format';
import type { Quorum, ReplicaView } from '../lib/quorum';
import { StateMark } from './StateMark';

const CLASS = { leader: 'lead', current: '', behind: 'behind', lost: 'off' } as const;
/** A replica that lags stands lower; how far does not show, only that it is. */
const LEVEL = { leader: 78, current: 78, behind: 44, lost: 0 } as const;

function words(replica: ReplicaView): React.ReactNode {
  switch (replica.state) {
    case 'leader':
      return <b className="ink">Leader</b>;
    case 'current':
      return 'Current';
    case 'behind':
      return (
        <StateMark state="watch">
          {count(replica.lag)} {replica.lag === '1' ? 'entry' : 'entries'} behind
        </StateMark>
      );
    case 'lost':
      return <StateMark state="fault">Gone</StateMark>;
  }
}

interface Props {
  quorum: Quorum;
  zoneOf: (node: string) => string | null;
}

/** The replicas of a stream as vessels joined at the foot: the same level is in step, the lid marks the leader. */
export function ZoneVessels({ quorum, zoneOf }: Props) {
  const empty = Math.max(0, quorum.size - quorum.replicas.length);
  const columns = quorum.replicas.length + empty;
  return (
    <div>
      <ul className="vessels" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }} aria-label="Replicas">
        {quorum.replicas.map((replica) => (
          <li key={replica.name} className={`vessel ${CLASS[replica.state]}`.trim()}>
            <div className="pot" aria-hidden="true">
              {LEVEL[replica.state] > 0 ? <i style={{ height: `${LEVEL[replica.state]}%` }} /> : null}
            </div>
            <div className="told">
              {zoneOf(replica.name) ? (
                <span className="ink3">
                  zone <b className="mono ink">{zoneOf(replica.name)}</b>
                </span>
              ) : null}
              <span className="who">{replica.name}</span>
              <span className="ink2">{words(replica)}</span>
              {replica.state === 'leader' || !replica.heard ? null : <span className="ink3">heard {durationShort(rounded(replica.heard))} ago</span>}
            </div>
          </li>
        ))}
        {Array.from({ length: empty }, (_, i) => (
          <li key={i} className="vessel off">
            <div className="pot" aria-hidden="true" />
            <div className="told">
              <span className="ink2">{quorum.replicas.length ? 'No node yet' : 'Not told'}</span>
            </div>
          </li>
        ))}
      </ul>
      <p className="commit">
        <StateMark state={quorum.state === 'lost' ? 'fault' : quorum.state === 'bare' ? 'watch' : 'steady'}>
          {quorum.state === 'solo' ? 'One replica' : quorum.state === 'lost' ? 'No quorum' : quorum.state === 'bare' ? 'None to spare' : `${quorum.margin === 1 ? 'One' : quorum.margin} to spare`}
        </StateMark>
        <span className="ink2">{quorum.means}</span>
      </p>
    </div>
  );
}

/** "1.234567s" to whole parts that people read. */
function rounded(text: string): string {
  return text.replace(/(\d+)\.\d+(s|ms|µs)/g, '$1$2');
}
