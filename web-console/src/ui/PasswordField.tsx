import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { passwordProblem, SHORTEST_PASSWORD } from '../lib/password';
import { Button } from './Button';
import { Field } from './Field';

interface Props {
  label?: string;
  value: string;
  /** Shown instead of the own judgement, such as a refusal of the server. */
  error?: React.ReactNode;
  onChange: (value: string) => void;
}

/** A new password, which says how long it is and can be looked at. */
export function PasswordField({ label = 'Password', value, error, onChange }: Props) {
  const [shown, setShown] = useState(false);
  const [left, setLeft] = useState(false);
  const own = left && value !== '' ? passwordProblem(value) : null;
  const wrong = error ?? own;
  return (
    <Field
      label={label}
      error={wrong}
      good={passwordProblem(value) ? null : `${value.length} characters`}
      help={value === '' ? `${SHORTEST_PASSWORD} characters or more.` : null}
    >
      {(id, described) => (
        <span className={wrong ? 'input tall wrong' : 'input tall'}>
          <input
            id={id}
            type={shown ? 'text' : 'password'}
            autoComplete="new-password"
            aria-describedby={described}
            aria-invalid={wrong ? true : undefined}
            value={value}
            onBlur={() => setLeft(true)}
            onChange={(event) => onChange(event.target.value)}
          />
          <Button look="ghost" size="compact" square aria-label={shown ? 'Hide password' : 'Show password'} onClick={() => setShown(!shown)}>
            {shown ? <IconEyeOff size={16} stroke={1.6} aria-hidden="true" /> : <IconEye size={16} stroke={1.6} aria-hidden="true" />}
          </Button>
        </span>
      )}
    </Field>
  );
}
