import type { Permission } from '../api/types';
import { Button, ButtonLink } from '../ui/Button';
import { useDenied } from './permissions';

/** A link that looks like a button and leads to a change; without the right to it, it keeps its place and says why. */
export function GuardedLink({ needs, ...link }: { needs: Permission } & React.ComponentProps<typeof ButtonLink>) {
  const no = useDenied(needs);
  const { look, size, square, className, children } = link;
  if (no) {
    return (
      <Button look={look} size={size} square={square} className={className} aria-label={link['aria-label']} blocked={no}>
        {children}
      </Button>
    );
  }
  return <ButtonLink {...link} />;
}
