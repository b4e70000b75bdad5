import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Brand } from './Page';

function Turbine({ turning }: { turning: boolean }) {
  return (
    <g transform="translate(606 382)">
      <circle r="56" fill="var(--sheet)" stroke="var(--wall)" strokeWidth="2.4" />
      <circle r="42" fill={turning ? 'var(--water-tint)' : 'var(--well)'} stroke="var(--wall)" strokeWidth="1.6" />
      {Array.from({ length: 8 }, (_, i) => (
        <path key={i} d="M0 0q10-20 0-38" transform={`rotate(${i * 45})`} stroke="var(--ink)" strokeWidth="2.8" fill="none" strokeLinecap="round" />
      ))}
      <circle r="8" fill="var(--ink)" />
    </g>
  );
}

/** A section through a penstock: reservoir, dam, gate, pipe, turbine. */
function Section({ gateOpen }: { gateOpen: boolean }) {
  const run = 'M228 200H462L556 382H576';
  return (
    <svg
      viewBox="0 0 680 520"
      width="100%"
      role="img"
      aria-label={
        gateOpen
          ? 'Section through a penstock: a stream holds the level, permissions are the gate of the pipe, consumers turn at its end.'
          : 'Section through a penstock: a stream holds the level behind a closed gate that opens with your code.'
      }
    >
      <defs>
        <pattern id="masonry" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V9" stroke="var(--line-2)" strokeWidth="1.4" />
        </pattern>
      </defs>
      <rect x="10" y="92" width="252" height="144" fill="var(--water-level)" />
      <path d="M10 92H262" stroke="var(--water)" strokeWidth="2.2" />
      <path d="M10 236H262V56H300V150L372 236V262H10Z" fill="url(#masonry)" />
      <path d="M10 236H262V56H300V150L372 236V262H10" fill="none" stroke="var(--wall)" strokeWidth="2.2" strokeLinejoin="round" />
      {[116, 140, 164, 188, 212].map((y, i) => (
        <path key={y} d={`M262 ${y}h${i % 2 ? -8 : -14}`} stroke="var(--wall)" strokeWidth="1.5" />
      ))}
      <path d="M232 200H462L556 382H576" fill="none" stroke="var(--wall)" strokeWidth="36" strokeLinejoin="round" />
      <path d={run} fill="none" stroke={gateOpen ? 'var(--water-level)' : 'var(--well)'} strokeWidth="31" strokeLinejoin="round" />
      {gateOpen ? null : <path d="M228 200H404" fill="none" stroke="var(--water-level)" strokeWidth="31" />}
      <path
        d={gateOpen ? 'M240 200H462L556 382H566' : 'M240 200H398'}
        fill="none"
        stroke="var(--water)"
        strokeWidth="1.8"
        strokeDasharray="9 13"
      />
      <rect x="400" y="174" width="42" height="52" fill="var(--hall)" />
      <path
        d="M401 176v48l40-48v48z"
        fill={gateOpen ? 'var(--water-level)' : 'var(--held)'}
        stroke={gateOpen ? 'var(--ink)' : 'var(--held)'}
        strokeWidth="2.4"
        strokeLinejoin="round"
      />
      <path d="M421 200V148M403 148h36" stroke="var(--ink)" strokeWidth="3" strokeLinecap="round" />
      <Turbine turning={gateOpen} />
      <text x="10" y="44" className="strong">
        A stream holds the level
      </text>
      <text x="10" y="64">what you publish stays until its limits</text>
      <text x="680" y={gateOpen ? 142 : 112} textAnchor="end" className="strong">
        {gateOpen ? 'Gates are permissions' : 'The gate opens with your code'}
      </text>
      <text x="680" y={gateOpen ? 162 : 132} textAnchor="end">
        {gateOpen ? 'per subject, per user' : 'your account stands ready behind it'}
      </text>
      <text x="680" y="484" textAnchor="end" className="strong">
        Consumers do the work
      </text>
      <text x="680" y="504" textAnchor="end">
        each at its own pace
      </text>
    </svg>
  );
}

interface Props {
  tab: string;
  gateOpen: boolean;
  children: React.ReactNode;
}

export function AuthFrame({ tab, gateOpen, children }: Props) {
  useEffect(() => {
    document.title = `${tab} · Penstock`;
  }, [tab]);
  return (
    <div className="auth">
      <main className="auth-main">
        <Link className="brand" to="/signup">
          <Brand size={28} />
        </Link>
        <div className="auth-form">{children}</div>
      </main>
      <aside className="auth-side" aria-label="About Penstock">
        <figure>
          <Section gateOpen={gateOpen} />
        </figure>
      </aside>
    </div>
  );
}
