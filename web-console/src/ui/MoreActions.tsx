import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from './Button';
import { menuLook } from './menu-look';

interface MoreActionsProps {
  /** The actions in few words, for the button's name. */
  what: string;
  /** Why none of them may be used; then there is no menu. */
  blocked: string | null | undefined;
  /** Menu.Item of each; one of them takes the focus. */
  children: ReactNode;
}

/** The actions of a page that are needed seldom, behind one button. */
export function MoreActions({ what, blocked, children }: MoreActionsProps) {
  const label = `More actions: ${what}`;
  const dots = <IconDots size={16} stroke={1.6} aria-hidden="true" />;
  if (blocked) {
    return (
      <Button square aria-label={label} blocked={blocked}>
        {dots}
      </Button>
    );
  }
  return (
    <Menu {...menuLook} position="bottom-end">
      <Menu.Target>
        <Button square aria-label={label}>
          {dots}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
