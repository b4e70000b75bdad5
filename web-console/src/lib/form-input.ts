import type { UseFormReturnType } from '@mantine/form';

/** What a plain input needs of a Mantine form; the error is shown by the field, not the input. */
export function inputProps<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>, path: keyof Values & string) {
  const { value, onChange, onBlur, onFocus } = form.getInputProps(path) as {
    value: string;
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => void;
    onBlur: () => void;
    onFocus: () => void;
  };
  return { value, onChange, onBlur, onFocus, name: path, 'aria-invalid': form.errors[path] ? (true as const) : undefined };
}

/** What a field held by its page needs of a Mantine form, for a value that is text. */
export function textProps<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>, path: keyof Values & string) {
  return {
    value: form.values[path] as string,
    onChange: (value: string) => form.setFieldValue(path, value as never),
    onBlur: () => void form.validateField(path),
    error: form.errors[path],
  };
}
