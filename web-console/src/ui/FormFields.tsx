import type { UseFormReturnType } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { inputProps } from '../lib/form-input';
import { Field } from './Field';

/** A field that cannot be changed any more; it keeps its place and says why. */
export function Locked({ label, value, why }: { label: string; value: string; why: string }) {
  return (
    <Field label={label} help={why}>
      {(id, described) => (
        <span className="input locked mono">
          <IconLock size={14} stroke={1.6} aria-hidden="true" />
          <input id={id} value={value} readOnly aria-describedby={described} />
        </span>
      )}
    </Field>
  );
}

interface TextProps<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  path: keyof Values & string;
  label: string;
  help?: React.ReactNode;
  placeholder?: string;
  mono?: boolean;
  optional?: boolean;
}

export function TextField<Values extends Record<string, unknown>>({ form, path, label, help, placeholder, mono, optional }: TextProps<Values>) {
  const error = form.errors[path];
  return (
    <Field label={label} optional={optional ?? false} error={error} help={help}>
      {(id, described) => (
        <span className={['input', mono && 'mono', error && 'wrong'].filter(Boolean).join(' ')}>
          <input id={id} autoComplete="off" spellCheck={false} placeholder={placeholder} aria-describedby={described} {...inputProps(form, path)} />
        </span>
      )}
    </Field>
  );
}

/** Several lines of text, for names with values and the like. */
export function LinesField({ label, value, onChange, onBlur, help, error, placeholder, rows = 2, required }: { required?: boolean; label: string; value: string; onChange: (value: string) => void; onBlur?: () => void; help?: React.ReactNode; error?: React.ReactNode; placeholder?: string; rows?: number }) {
  return (
    <Field label={label} optional={!required} help={help} error={error}>
      {(id, described) => (
        <span className={error ? 'input mono lines wrong' : 'input mono lines'}>
          <textarea id={id} rows={Math.max(rows, value.split('\n').length)} spellCheck={false} placeholder={placeholder} aria-describedby={described} aria-invalid={error ? true : undefined} value={value} onChange={(event) => onChange(event.target.value)} onBlur={onBlur} />
        </span>
      )}
    </Field>
  );
}

interface CheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  text: React.ReactNode;
  help?: React.ReactNode;
  error?: React.ReactNode;
  /** Why it stays as it is. */
  fixed?: string | undefined;
}

export function CheckField({ checked, onChange, text, help, error, fixed }: CheckProps) {
  return (
    <label className={fixed ? 'check fixed' : 'check'}>
      <input type="checkbox" checked={checked} aria-disabled={fixed ? true : undefined} onChange={(event) => (fixed ? undefined : onChange(event.target.checked))} />
      <span>
        {text}
        {help || fixed ? (
          <span className="help tiny ink3" style={{ display: 'block' }}>
            {fixed ?? help}
          </span>
        ) : null}
        {error ? (
          <span className="error-line" role="alert">
            {error}
          </span>
        ) : null}
      </span>
    </label>
  );
}

/** Fields few need; open from the start when one of them is set. */
export function More({ title, open, children }: { title: string; open: boolean; children: React.ReactNode }) {
  // Until the person decides, it follows what is set.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const shown = chosen ?? open;
  return (
    <details className="more" open={shown}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!shown);
        }}
      >
        {title}
      </summary>
      {shown ? <div>{children}</div> : null}
    </details>
  );
}

/** A choice from a list in the browser's own control. */
export function SelectField({ label, value, onChange, options, help, error, mono, optional }: { label: string; value: string; onChange: (value: string) => void; options: readonly { value: string; label: string }[]; help?: React.ReactNode; error?: React.ReactNode; mono?: boolean; optional?: boolean }) {
  return (
    <Field label={label} help={help} error={error} optional={optional ?? false}>
      {(id, described) => (
        <span className={['input', mono && 'mono', error && 'wrong'].filter(Boolean).join(' ')}>
          <select id={id} value={value} aria-describedby={described} onChange={(event) => onChange(event.target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  );
}

interface PlainProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  help?: React.ReactNode;
  error?: React.ReactNode;
  placeholder?: string;
  mono?: boolean;
  optional?: boolean;
  autoFocus?: boolean;
  type?: string;
}

/** One line of text held by its page. */
export function PlainField({ label, value, onChange, help, error, placeholder, mono, optional, autoFocus, type = 'text' }: PlainProps) {
  return (
    <Field label={label} help={help} error={error} optional={optional ?? false}>
      {(id, described) => (
        <span className={['input', mono && 'mono', error && 'wrong'].filter(Boolean).join(' ')}>
          <input id={id} type={type} value={value} placeholder={placeholder} autoComplete="off" spellCheck={false} aria-describedby={described} aria-invalid={error ? true : undefined} data-autofocus={autoFocus || undefined} onChange={(event) => onChange(event.target.value)} />
        </span>
      )}
    </Field>
  );
}
