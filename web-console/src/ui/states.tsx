import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ApiError } from '../api/error';
import { dateTime, span } from '../lib/format';
import { usePrefs } from '../lib/prefs';
import { useNow } from '../lib/use-now';
import { Button } from './Button';
import { type State, StateMark } from './StateMark';

function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}

const WIDTHS = [120, 88, 140, 104, 76, 130];

/** Nothing for 200 ms, then still rows at their real height and a line that names what is read. */
export function Loading({ what, columns = ['Name'], rows = 6 }: { what: string; columns?: readonly string[]; rows?: number }) {
  const visible = useAfter(200);
  const slow = useAfter(5_000);
  if (!visible) return <div aria-busy="true" />;
  return (
    <div aria-busy="true" className="loading">
      <p className="line">
        <StateMark state="work" size={14}>
          {slow ? `Still reading ${what}: waiting for an answer of the control plane` : `Reading ${what}`}
        </StateMark>
      </p>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody aria-hidden="true">
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {columns.map((column, i) => (
                <td key={column}>
                  <span className="bone" style={{ width: `${(WIDTHS[(row + i * 2) % WIDTHS.length] ?? 90) / (i ? 1.6 : 1)}px` }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A thing that is not there yet: what it is for, and the next move. */
export function Empty({ title, drawing = true, children }: { title: string; drawing?: boolean; children: React.ReactNode }) {
  return (
    <div className="placard">
      {drawing ? (
        <svg width="150" height="60" viewBox="0 0 150 60" aria-hidden="true">
          <path d="M0 30h46M104 30h46" stroke="var(--wall)" strokeWidth="14" />
          <path d="M0 30h46M104 30h46" stroke="var(--well)" strokeWidth="10" />
          <rect x="46" y="4" width="58" height="52" rx="3" fill="var(--well)" stroke="var(--wall)" strokeWidth="2" strokeDasharray="4 3" />
        </svg>
      ) : null}
      <h2 className="h2">{title}</h2>
      {children}
    </div>
  );
}

export interface FilterToken {
  name: string;
  value: string;
  onRemove: () => void;
}

interface NoMatchProps {
  title: string;
  filters: readonly FilterToken[];
  /** How many there are without the filters, and the closest name. */
  children: React.ReactNode;
  onClear: () => void;
}

/** Filters that match nothing stay in sight and can be taken away one by one. */
export function NoMatch({ title, filters, children, onClear }: NoMatchProps) {
  return (
    <div className="placard">
      <div className="line wrap">
        {filters.map((filter) => (
          <span className="token" key={filter.name}>
            {filter.name} <b className="mono">{filter.value}</b>
            <button type="button" aria-label={`Remove filter ${filter.name}`} onClick={filter.onRemove}>
              <IconX size={13} stroke={1.8} aria-hidden="true" />
            </button>
          </span>
        ))}
      </div>
      <h2 className="h2">{title}</h2>
      <p className="ink2">{children}</p>
      <Button look="primary" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  );
}

interface NoteProps {
  tone: 'fault' | 'watch' | 'steady' | 'info' | 'held';
  title: React.ReactNode;
  children?: React.ReactNode;
  actions?: React.ReactNode;
  role?: 'status' | 'alert';
  /** Where the mark says more than the tone does. */
  mark?: State;
}

const MARK = { fault: 'fault', watch: 'watch', steady: 'steady', info: 'work', held: 'held' } as const;

export function Note({ tone, title, children, actions, role, mark }: NoteProps) {
  return (
    <div className={`note ${tone}`} role={role}>
      <StateMark state={mark ?? MARK[tone]} size={16} />
      <div className="body">
        <p>
          <b className="title">{title}</b>
        </p>
        {children ? <div className="ink2">{children}</div> : null}
      </div>
      {actions ? <div className="actions">{actions}</div> : null}
    </div>
  );
}

interface Refreshable {
  error: ApiError | null;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
  refetch: () => unknown;
}

/** Old values stay on the page, marked old; the age counts up and the next try counts down. */
export function Reconnecting({ query }: { query: Refreshable }) {
  const { zone, refreshSeconds } = usePrefs();
  const now = useNow();
  // That a session has ended is said once, above the page.
  if (!query.error || query.error.status === 401 || query.dataUpdatedAt === 0) return null;
  const next = query.errorUpdatedAt + refreshSeconds * 1000 - now;
  return (
    <Note
      tone="held"
      mark="stale"
      role="status"
      title={
        <>
          Live values stopped at {dateTime(new Date(query.dataUpdatedAt).toISOString(), zone)}.{' '}
          {refreshSeconds === 0 ? 'Refresh is off.' : next > 0 ? `Next try in ${Math.ceil(next / 1000)} s.` : 'Trying now.'}
        </>
      }
      actions={
        <Button size="compact" onClick={() => void query.refetch()}>
          Try now
        </Button>
      }
    >
      What you see is {span(now - query.dataUpdatedAt)} old. {query.error.message}
    </Note>
  );
}
