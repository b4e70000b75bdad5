import { useState } from 'react';
import { asApiError } from '../api/error';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { ErrorLine } from './ErrorPanel';
import { Field } from './Field';

export interface ImpactRow {
  what: string;
  figure: React.ReactNode;
  more?: React.ReactNode;
}

export function ImpactTable({ rows, caption = 'Impact' }: { rows: readonly ImpactRow[]; caption?: string }) {
  return (
    <table>
      <caption className="vh">{caption}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.what}>
            <td className="ink2">{row.what}</td>
            <td className="num bold">{row.figure}</td>
            <td className="num ink3">{row.more}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Verb and noun, also on the button: "Delete stream". */
  act: string;
  name: string;
  impact: readonly ImpactRow[];
  /** What cannot be undone, or for how long it can. */
  consequence: React.ReactNode;
  onConfirm: () => Promise<void>;
  children?: React.ReactNode;
}

/** A destructive act: counts first, then the typed name; the focus starts on the safe button. */
export function DangerDialog({ opened, onClose, act, name, impact, consequence, onConfirm, children }: Props) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const close = () => {
    setTyped('');
    setError(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const blocked = busy ? 'The call is under way.' : typed === name ? null : `Type ${name} first.`;

  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={
        <>
          {act} <span className="mono break">{name}</span>
        </>
      }
      foot={
        <>
          <Button look="danger" blocked={blocked} onClick={confirm}>
            {act}
          </Button>
          <Button look="ghost" onClick={close} data-autofocus>
            Keep it
          </Button>
        </>
      }
    >
      <ImpactTable rows={impact} />
      {children}
      <div className="small">{consequence}</div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!blocked) void confirm();
        }}
      >
        <Field
          label={
            <>
              Type <span className="mono">{name}</span> to go on
            </>
          }
        >
          {(id) => (
            <span className="input mono">
              <input
                id={id}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                spellCheck={false}
              />
            </span>
          )}
        </Field>
      </form>
      {error ? <ErrorLine error={asApiError(error)} /> : null}
    </Dialog>
  );
}
