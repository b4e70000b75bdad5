import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Button } from './Button';

/** Puts text on the clipboard and answers whether it could. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages served over plain HTTP from another host have no clipboard; a selection still copies.
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('readonly', '');
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

interface Props {
  text: string | (() => string);
  /** What is copied, for the name of the button: "command". */
  what: string;
  /** A visible word; without it the button is an icon. */
  children?: React.ReactNode;
  className?: string;
}

export function CopyButton({ text, what, children, className }: Props) {
  const [result, setResult] = useState<'none' | 'copied' | 'refused'>('none');
  useEffect(() => {
    if (result === 'none') return undefined;
    const timer = setTimeout(() => setResult('none'), 2_000);
    return () => clearTimeout(timer);
  }, [result]);
  const icon =
    result === 'copied' ? (
      <IconCheck size={15} stroke={1.8} aria-hidden="true" />
    ) : (
      <IconCopy size={15} stroke={1.6} aria-hidden="true" />
    );
  return (
    <Button
      size="compact"
      look={children ? 'plain' : 'ghost'}
      square={!children}
      className={className}
      aria-label={children ? undefined : `Copy ${what}`}
      onClick={async () => setResult((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'refused')}
    >
      {icon}
      {children ? (result === 'refused' ? 'Select and copy by hand' : result === 'copied' ? 'Copied' : children) : null}
      <span className="vh" role="status">
        {result === 'copied' ? `Copied ${what}` : result === 'refused' ? `The browser refused to copy ${what}` : ''}
      </span>
    </Button>
  );
}

/** A command to run in a terminal, as text that can be selected and copied. */
export function Command({ children, what = 'command' }: { children: string; what?: string }) {
  return (
    <div className="command">
      <code tabIndex={0}>{children}</code>
      <CopyButton text={children} what={what} />
    </div>
  );
}
