import type { CallState } from '../lib/use-call';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { ErrorLine } from './ErrorPanel';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: React.ReactNode;
  lead?: React.ReactNode;
  /** Verb and noun of the button. */
  act: string;
  /** Why it cannot be sent yet. */
  blocked?: string | null;
  call: CallState;
  onSubmit: () => unknown;
  children: React.ReactNode;
  danger?: boolean;
}

/** A short form in a dialog; the error stays beside it until it is mended. */
export function FormDialog({ opened, onClose, title, lead, act, blocked, call, onSubmit, children, danger }: Props) {
  const why = call.busy ? 'The call is under way.' : (blocked ?? null);
  const close = () => {
    call.clear();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={title}
      lead={lead}
      foot={
        <>
          <Button look={danger ? 'danger' : 'primary'} blocked={why} onClick={() => void onSubmit()}>
            {act}
          </Button>
          <Button look="ghost" onClick={close}>
            Cancel
          </Button>
        </>
      }
    >
      <form
        className="stack"
        style={{ gap: 14 }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!why) void onSubmit();
        }}
      >
        {children}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
      {call.error ? <ErrorLine error={call.error} /> : null}
    </Dialog>
  );
}
