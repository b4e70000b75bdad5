import { Modal } from '@mantine/core';
import { useInertPage } from './Dialog';

interface Props {
  opened: boolean;
  onClose: () => void;
  label: string;
  /** Classes of what places it, and of itself. */
  classNames: { inner: string; content: string };
  children: React.ReactNode;
}

/** A part of the frame over the page, without the head and foot of a dialog. */
export function Overlay({ opened, onClose, label, classNames, children }: Props) {
  useInertPage(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      lockScroll={false}
      returnFocus
      transitionProps={{ duration: 150, transition: 'fade' }}
      unstyled
      classNames={{ ...classNames, overlay: 'dialog-veil' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={label}>{children}</Modal.Content>
    </Modal.Root>
  );
}
