import { Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useLayoutEffect } from 'react';
import { Button } from './Button';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: React.ReactNode;
  /** One or two lines below the title. */
  lead?: React.ReactNode;
  foot?: React.ReactNode;
  children: React.ReactNode;
  /** False keeps Escape and a click beside the dialog from closing it. */
  easyToClose?: boolean;
  closeLabel?: string;
}

// One dialog may open while the one before it still closes.
let open = 0;

/** While a dialog is open, the page behind takes no focus and no reader visits it. */
export function useInertPage(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const page = document.getElementById('root');
    if (!page) return undefined;
    open += 1;
    page.inert = true;
    return () => {
      open -= 1;
      page.inert = open > 0;
    };
  }, [active]);
}

/** The control that opened what is open now; for an item of a menu, which is gone by then, the button of the menu. */
function opener(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role="menu"]');
  const button = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active;
  return button instanceof HTMLElement && button !== document.body ? button : null;
}

// How often, and at what distance in milliseconds, the focus is offered back: a slow page still fades after the first.
const FOCUS_TRIES = 10;
const FOCUS_PAUSE = 30;

/** After Mantine's own return, and once the page takes the focus again; under a dialog that follows it takes none. */
function giveBack(to: HTMLElement, tries: number): void {
  setTimeout(() => {
    const { activeElement, body } = to.ownerDocument;
    // A dialog that fades out still holds the focus.
    if (activeElement !== null && activeElement !== body && !activeElement.closest('[role="dialog"]')) return;
    to.focus();
    if (to.ownerDocument.activeElement !== to && tries > 1) giveBack(to, tries - 1);
  }, FOCUS_PAUSE);
}

/** Gives the focus back when a dialog closes, also when it leaves the page as it closes, which Mantine does not see. */
function useFocusBack(opened: boolean): void {
  // Before the page turns inert, which takes the focus off it, and before Mantine moves the focus into the dialog.
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const from = opener();
    if (!from) return undefined;
    return () => giveBack(from, FOCUS_TRIES);
  }, [opened]);
}

export function Dialog({ opened, onClose, title, lead, foot, children, easyToClose = true, closeLabel = 'Close' }: Props) {
  useInertPage(opened);
  useFocusBack(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      // The style sheet stops the scroll: Mantine's own lock would inject a style element.
      lockScroll={false}
      returnFocus
      closeOnEscape={easyToClose}
      closeOnClickOutside={easyToClose}
      transitionProps={{ duration: 150, transition: 'fade' }}
      unstyled
      classNames={{ root: 'dialog-root', inner: 'dialog-inner', content: 'dialog', overlay: 'dialog-veil' }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <div className="grow">
            <Modal.Title>{title}</Modal.Title>
            {lead ? <p className="small ink2">{lead}</p> : null}
          </div>
          <Button look="ghost" square aria-label={closeLabel} onClick={onClose}>
            <IconX size={16} stroke={1.6} aria-hidden="true" />
          </Button>
        </div>
        <div className="dialog-body">{children}</div>
        {foot ? <div className="dialog-foot">{foot}</div> : null}
      </Modal.Content>
    </Modal.Root>
  );
}
