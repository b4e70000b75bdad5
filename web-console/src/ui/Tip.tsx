import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

/** A tooltip that opens on hover, focus and touch. The child must take a ref. */
export function Tip({ label, children }: { label: React.ReactNode; children: ReactElement }) {
  return (
    <Tooltip
      label={label}
      openDelay={250}
      events={{ hover: true, focus: true, touch: true }}
      classNames={{ tooltip: 'tooltip' }}
      transitionProps={{ duration: 90 }}
      multiline
      unstyled
    >
      {children}
    </Tooltip>
  );
}

/** A figure shown rounded; pointing at it gives the exact one, which detail pages also spell out. */
export function Exact({ value, exact, className }: { value: string; exact: string; className?: string }) {
  if (value === exact) return <span className={className}>{value}</span>;
  return (
    <Tip label={exact}>
      <span className={className}>
        {value}
        <span className="vh">, exactly {exact}</span>
      </span>
    </Tip>
  );
}
