import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from './Button';
import { Command, CopyButton } from './Copy';
import { Dialog } from './Dialog';

interface Props {
  title: React.ReactNode;
  /** The name of what is shown: "token". */
  what: string;
  secret: string;
  /** How it is used, without the secret in it. */
  commands: readonly string[];
  onDone: () => void;
  children?: React.ReactNode;
}

/** A secret that exists in this dialog only; it closes once the person says that it is stored. */
export function SecretDialog({ title, what, secret, commands, onDone, children }: Props) {
  const [shown, setShown] = useState(false);
  const [stored, setStored] = useState(false);
  const [asked, setAsked] = useState(false);
  const leave = () => (stored ? onDone() : setAsked(true));
  const hidden = `${secret.slice(0, 12)}${'•'.repeat(24)}`;
  return (
    <Dialog
      opened
      onClose={leave}
      easyToClose={false}
      closeLabel={stored ? 'Close' : 'Close, asks first'}
      title={title}
      lead={`Copy it now. The ${what} is kept only as a hash, so it is never shown again.`}
      foot={
        <>
          <label className="check">
            <input
              type="checkbox"
              checked={stored}
              onChange={(event) => {
                setStored(event.target.checked);
                setAsked(false);
              }}
            />
            I have stored it
          </label>
          {asked ? (
            <span className="error-line" role="alert">
              Tick “I have stored it” first: closing throws the {what} away.
            </span>
          ) : null}
          <span className="to-end">
            <Button look="primary" blocked={stored ? null : 'Tick “I have stored it” first.'} onClick={leave}>
              Done
            </Button>
          </span>
        </>
      }
    >
      <div className="creds-box">
        <div className="line wrap">
          <span className="bold">{what.charAt(0).toUpperCase() + what.slice(1)}</span>
          <span className="line to-end">
            <Button size="compact" onClick={() => setShown(!shown)}>
              {shown ? <IconEyeOff size={15} stroke={1.6} aria-hidden="true" /> : <IconEye size={15} stroke={1.6} aria-hidden="true" />}
              {shown ? 'Hide' : 'Show'}
            </Button>
            <CopyButton text={secret} what={what}>
              Copy
            </CopyButton>
          </span>
        </div>
        <pre className="code wrap-code" tabIndex={0} role="region" aria-label={shown ? `The ${what}` : `The ${what}, hidden`}>
          {shown ? secret : hidden}
        </pre>
      </div>
      {commands.length ? (
        <div className="stack">
          <div className="label">Use it</div>
          {commands.map((command) => (
            <Command key={command}>{command}</Command>
          ))}
        </div>
      ) : null}
      {children}
    </Dialog>
  );
}
