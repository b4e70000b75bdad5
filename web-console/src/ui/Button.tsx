import { Link, type LinkProps } from '@tanstack/react-router';
import { forwardRef } from 'react';
import { Tip } from './Tip';

type Look = 'plain' | 'primary' | 'danger' | 'ghost';
type Size = 'compact' | 'normal' | 'large';

interface Shared {
  look?: Look;
  size?: Size;
  square?: boolean;
}

export function buttonClass({ look = 'plain', size = 'normal', square }: Shared, extra = ''): string {
  return ['btn', look !== 'plain' && look, size !== 'normal' && size, square && 'square', extra].filter(Boolean).join(' ');
}

interface Props extends Shared, Omit<React.ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** Why it cannot be pressed now. The button keeps its place and says so on hover and focus. */
  blocked?: string | null | undefined;
}

export const Button = forwardRef<HTMLButtonElement, Props>(function Button(
  { look, size, square, blocked, className, onClick, type = 'button', ...rest },
  ref,
) {
  const button = (
    <button
      ref={ref}
      type={type}
      className={buttonClass({ look, size, square }, className)}
      aria-disabled={blocked ? 'true' : undefined}
      onClick={(event) => {
        if (blocked) {
          event.preventDefault();
          return;
        }
        onClick?.(event);
      }}
      {...rest}
    />
  );
  return blocked ? <Tip label={blocked}>{button}</Tip> : button;
});

export function ButtonLink({
  look,
  size,
  square,
  className,
  ...rest
}: Shared & LinkProps & { className?: string; children?: React.ReactNode; 'aria-label'?: string }) {
  return <Link className={buttonClass({ look, size, square }, className)} {...(rest as LinkProps)} />;
}
