import { Field } from '../../ui/Field';

interface Props<U extends string> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  error: React.ReactNode;
  help?: React.ReactNode;
  placeholder?: string;
  unit?: { value: U; options: readonly U[]; onChange: (unit: U) => void } | undefined;
}

/** A number with its unit inside the field; empty is the default that the placeholder names. */
export function AmountField<U extends string>({ label, value, onChange, onBlur, error, help, placeholder = 'no limit', unit }: Props<U>) {
  return (
    <Field label={label} error={error} help={help}>
      {(id, described) => (
        <span className={error ? 'input wrong' : 'input'}>
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            aria-describedby={described}
            aria-invalid={error ? true : undefined}
            placeholder={placeholder}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
          />
          {unit ? (
            <select
              className="unit-select"
              aria-label={`Unit of ${label.toLowerCase()}`}
              value={unit.value}
              onChange={(event) => unit.onChange(event.target.value as U)}
            >
              {unit.options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          ) : null}
        </span>
      )}
    </Field>
  );
}
