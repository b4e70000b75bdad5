import { useId } from 'react';
import { StateMark } from './StateMark';

interface Props {
  label: React.ReactNode;
  optional?: boolean;
  help?: React.ReactNode;
  error?: React.ReactNode;
  good?: React.ReactNode;
  /** Gets the id for the control and the ids that describe it. */
  children: (id: string, describedBy: string | undefined) => React.ReactNode;
  className?: string;
}

/** Label above, control, then what is wrong or right with it, then help. */
export function Field({ label, optional, help, error, good, children, className = '' }: Props) {
  const id = useId();
  const described = [error ? `${id}-error` : null, help ? `${id}-help` : null].filter(Boolean).join(' ') || undefined;
  return (
    <div className={`field ${className}`.trim()}>
      <label htmlFor={id}>
        <span>{label}</span>
        {optional ? <span className="optional">optional</span> : null}
      </label>
      {children(id, described)}
      {error ? (
        <span className="error" id={`${id}-error`}>
          <StateMark state="fault" size={14} hidden="Error" />
          <span>{error}</span>
        </span>
      ) : good ? (
        <span className="good">
          <StateMark state="steady" size={10} />
          {good}
        </span>
      ) : null}
      {help ? (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      ) : null}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: React.ReactNode;
  value: T;
  options: readonly { value: T; label: string; blocked?: string }[];
  onChange: (value: T) => void;
  help?: React.ReactNode;
  /** Short words stay in a row on a phone. */
  short?: boolean;
}

/** Two to five short choices as one bar; a radio group to the keyboard. */
export function Choice<T extends string>({ label, value, options, onChange, help, short }: ChoiceProps<T>) {
  const id = useId();
  const free = options.filter((option) => !option.blocked);
  return (
    <div className="field">
      <span className="field-label" id={id}>
        {label}
      </span>
      <div>
        <div
          className={short ? 'segmented short' : 'segmented'}
          role="radiogroup"
          aria-labelledby={id}
          aria-describedby={help ? `${id}-help` : undefined}
          onKeyDown={(event) => {
            const forward = event.key === 'ArrowRight' || event.key === 'ArrowDown';
            const backward = event.key === 'ArrowLeft' || event.key === 'ArrowUp';
            if (!forward && !backward) return;
            event.preventDefault();
            const at = free.findIndex((option) => option.value === value);
            const next = free[(at + (forward ? 1 : -1) + free.length) % free.length];
            if (!next) return;
            onChange(next.value);
            event.currentTarget.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus();
          }}
        >
          {options.map((option) => (
            <button
              key={option.value}
              type="button"
              role="radio"
              data-value={option.value}
              aria-checked={option.value === value}
              aria-disabled={option.blocked ? 'true' : undefined}
              title={option.blocked}
              tabIndex={option.value === value ? 0 : -1}
              onClick={() => (option.blocked ? undefined : onChange(option.value))}
            >
              {option.label}
            </button>
          ))}
        </div>
      </div>
      {help ? (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      ) : null}
    </div>
  );
}

interface ViewProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; className?: string }[];
  onChange: (value: T) => void;
  className?: string;
}

/** Views of one table, as pressed buttons. */
export function Views<T extends string>({ label, value, options, onChange, className = '' }: ViewProps<T>) {
  return (
    <div className={`segmented ${className}`.trim()} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          className={option.className}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
