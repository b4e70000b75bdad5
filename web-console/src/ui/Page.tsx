import { useEffect } from 'react';

interface HeadProps {
  title: React.ReactNode;
  /** The title of the browser tab. */
  tab: string;
  facts?: React.ReactNode;
  actions?: React.ReactNode;
}

export function PageHead({ title, tab, facts, actions }: HeadProps) {
  useEffect(() => {
    document.title = `${tab} · Penstock`;
  }, [tab]);
  return (
    <div className="page-head">
      <div className="grow">
        <h1>{title}</h1>
        {facts ? <div className="facts">{facts}</div> : null}
      </div>
      {actions ? <div className="actions">{actions}</div> : null}
    </div>
  );
}

interface SectionProps {
  title: React.ReactNode;
  aside?: React.ReactNode;
  end?: React.ReactNode;
  first?: boolean;
  children: React.ReactNode;
}

export function Section({ title, aside, end, first, children }: SectionProps) {
  return (
    <section className={first ? 'section first' : 'section'}>
      <div className="section-head">
        <h2>{title}</h2>
        {aside ? <span className="small ink3">{aside}</span> : null}
        {end ? <span className="small to-end">{end}</span> : null}
      </div>
      {children}
    </section>
  );
}

export function Brand({ size = 26 }: { size?: number }) {
  return (
    <>
      <svg width={size} height={size} viewBox="0 0 26 26" fill="none" aria-hidden="true">
        <path d="M5.5 25V10a8.5 8.5 0 1 1 8.5 8.5" stroke="currentColor" strokeWidth="5.4" />
        <path d="M5.5 25V10a8.5 8.5 0 1 1 8.5 8.5" stroke="var(--water-fill)" strokeWidth="2.2" />
        <circle cx="14" cy="10" r="2.4" fill="currentColor" />
      </svg>
      Penstock
    </>
  );
}
