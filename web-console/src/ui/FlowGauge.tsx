import { StateMark, type State } from './StateMark';
import { LevelTube } from './LevelTube';

export interface Outlet {
  key: string;
  /** A link to the consumer or stream. */
  name: React.ReactNode;
  valve: 'open' | 'shut' | 'held';
  mark?: { state: State; word: string };
  /** Per second; null while it is being measured. */
  rate: number | null;
  rateText: string;
  behind: string;
  behindTone?: 'watch' | 'fault' | 'held';
  /** Level of the tube, 0 to 100; null is unknown. */
  level: number | null;
  levelTitle?: string;
}

interface Props {
  /** The finding in one sentence, for a reader that sees no drawing. */
  label: string;
  inflow: { rate: number | null; reading: React.ReactNode; facts: React.ReactNode };
  tank: {
    /** 0 to 100; null where nothing limits the tank. */
    percent: number | null;
    title: string;
    limits: React.ReactNode;
    reading: string;
    facts: React.ReactNode;
  };
  outlets: readonly Outlet[];
  outletHead: string;
  noOutlets: React.ReactNode;
}

const ROW = 42;
const TANK = 210;

/** 6 to 16 px on a log scale of the rate. */
function pipeWidth(rate: number | null): number {
  if (!rate || rate <= 0) return 8;
  return Math.min(16, Math.max(6, 6 + Math.log10(1 + rate) * 4));
}

function OutletPipes({ outlets }: { outlets: readonly Outlet[] }) {
  const height = Math.max(TANK, outlets.length * ROW);
  const centre = TANK / 2;
  const top = (TANK - outlets.length * ROW) / 2;
  const ys = outlets.map((_, i) => (outlets.length > 5 ? 0 : Math.max(0, top)) + ROW / 2 + i * ROW);
  const first = Math.min(centre, ys[0] ?? centre);
  const last = Math.max(centre, ys[ys.length - 1] ?? centre);
  return (
    <svg className="pipes flow-outlet-pipes" width="92" height={height} viewBox={`0 0 92 ${height}`} aria-hidden="true">
      <path className="wall" d={`M0 ${centre}H34`} strokeWidth="18" />
      <path className="wall" d={`M34 ${first}V${last}`} strokeWidth="16" strokeLinecap="square" />
      {outlets.map((outlet, i) => (
        <path key={outlet.key} className="wall" d={`M34 ${ys[i]}H92`} strokeWidth={pipeWidth(outlet.rate) + 4} />
      ))}
      <path className="full" d={`M0 ${centre}H34`} strokeWidth="14" />
      <path className="full" d={`M34 ${first}V${last}`} strokeWidth="12" strokeLinecap="square" />
      {outlets.map((outlet, i) => (
        <path key={outlet.key} className="full" d={`M34 ${ys[i]}H92`} strokeWidth={pipeWidth(outlet.rate)} />
      ))}
      {outlets.map((outlet, i) =>
        outlet.valve === 'open' ? null : (
          <path key={outlet.key} className="dry" d={`M65 ${ys[i]}H92`} strokeWidth={pipeWidth(outlet.rate)} />
        ),
      )}
      {outlets.map((outlet, i) =>
        outlet.valve === 'open' && outlet.rate ? <path key={outlet.key} className="flowing" d={`M42 ${ys[i]}H92`} /> : null,
      )}
      {outlets.map((outlet, i) => {
        const y = ys[i] ?? 0;
        return (
          <g key={outlet.key}>
            <rect className="gap" x="53.5" y={y - 11.5} width="23" height="23" />
            <path
              className={`valve ${outlet.valve === 'shut' ? 'shut' : outlet.valve === 'held' ? 'held' : ''}`}
              d={`M54.5 ${y - 9.5}v19l21-19v19z`}
            />
          </g>
        );
      })}
    </svg>
  );
}

// Pixels below the rim that the two lines of text at the top of a tank take.
const TOP_TEXT = { from: 8, to: 48 };

// Percent of a tank's height on either side of a tick that its figure takes.
const TICK_TEXT = 4;

/** How far below the rim the text at the top stands: below the surface where that would run through it. */
function topText(percent: number | null): number | undefined {
  if (percent === null || percent === 0) return undefined;
  const surface = ((100 - percent) / 100) * (TANK - 4);
  return surface > TOP_TEXT.from && surface < TOP_TEXT.to ? surface + TOP_TEXT.from : undefined;
}

/** In, stored, out: pipe width is the rate, the level is how full, the tubes are how far behind. */
export function FlowGauge({ label, inflow, tank, outlets, outletHead, noOutlets }: Props) {
  const flowing = inflow.rate !== null && inflow.rate > 0;
  const width = pipeWidth(inflow.rate);
  const centred = outlets.length < 5 && outlets.length > 0;
  return (
    <section className={outlets.length ? 'flow' : 'flow no-outlets'} aria-label={label}>
      <div className="flow-in">
        <span className="label">In</span>
        <div className="reading">{inflow.reading}</div>
        <div className="small ink3">{inflow.facts}</div>
      </div>
      <div className="flow-pipe">
        <svg className="pipes" width="100%" height="20" viewBox="0 0 74 20" preserveAspectRatio="none" aria-hidden="true">
          <path className="wall" d="M0 10H74" strokeWidth={width + 4} />
          <path className={flowing ? 'full' : 'dry'} d="M0 10H74" strokeWidth={width} />
          {flowing ? <path className="flowing" d="M0 10H74" /> : null}
        </svg>
      </div>
      <svg className="pipes flow-pipe-down" width="24" height="22" aria-hidden="true">
        <path className="wall" d="M12 0V22" strokeWidth="20" />
        <path className={flowing ? 'full' : 'dry'} d="M12 0V22" strokeWidth="16" />
      </svg>
      <div className={tank.percent === null ? 'tank open' : 'tank'}>
        {/* An empty tank has no surface. */}
        {tank.percent === null || tank.percent === 0 ? null : <div className="level" style={{ height: `${tank.percent}%` }} />}
        {tank.percent === null ? null : (
          <div className="ticks" aria-hidden="true">
            {[25, 50, 75].map((tick) => (
              <span key={tick} style={{ bottom: `${tick}%` }} />
            ))}
            {[25, 50, 75].filter((tick) => Math.abs(tick - (tank.percent ?? 0)) > TICK_TEXT).map((tick) => (
              <em key={`${tick}-text`} style={{ bottom: `${tick}%` }}>
                {tick}%
              </em>
            ))}
          </div>
        )}
        <div className="upper" style={{ top: topText(tank.percent) }}>
          <div className="label">{tank.title}</div>
          <div className="tiny">{tank.limits}</div>
        </div>
        <div className="lower">
          <div className="reading">{tank.reading}</div>
          {tank.facts}
        </div>
      </div>
      {outlets.length ? <OutletPipes outlets={outlets} /> : null}
      <div className="outlets" style={centred ? ({ '--centre': `${Math.max(0, (TANK - outlets.length * ROW) / 2)}px` } as React.CSSProperties) : undefined}>
        {outlets.length ? (
          <div className="outlets-head label" aria-hidden="true">
            <span>{outletHead}</span>
            <span className="num">Out</span>
            <span />
            <span className="num">Behind</span>
          </div>
        ) : null}
        <ul>
          {outlets.length === 0 ? <li className="empty ink2">{noOutlets}</li> : null}
          {outlets.map((outlet) => (
            <li key={outlet.key}>
              <span className="name">
                {outlet.mark ? <StateMark state={outlet.mark.state} hidden={outlet.mark.word} /> : null}
                <span className="cut">{outlet.name}</span>
              </span>
              <span className="num rate">{outlet.rateText}</span>
              <span className="tube-cell">
                {outlet.level === null ? null : (
                  <LevelTube
                    percent={outlet.level}
                    {...(outlet.behindTone ? { tone: outlet.behindTone } : {})}
                    {...(outlet.levelTitle ? { title: outlet.levelTitle } : {})}
                  />
                )}
              </span>
              <span className={outlet.behindTone ? `num state ${outlet.behindTone}` : 'num ink2'} style={{ justifyContent: 'flex-end' }}>
                {outlet.behind}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
