import type { UseFormReturnType } from '@mantine/form';
import { inputProps } from '../../lib/form-input';
import { Choice, Field } from '../../ui/Field';
import { LinesField, Locked, More } from '../../ui/FormFields';
import { SubjectInput } from './SubjectInput';

interface NameProps<Values extends { name: string } & Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** What the field says when the name is in use, or null. */
  taken: string | null;
  /** What it says of a good name. */
  free: string;
  /** On edit, why the name stays. */
  fixed: string | null;
}

/** The name of a stream, a bucket or a consumer. */
export function NameField<Values extends { name: string } & Record<string, unknown>>({ form, taken, free, fixed }: NameProps<Values>) {
  const name = form.values.name;
  const error = form.errors.name;
  if (fixed) return <Locked label="Name" value={name} why={fixed} />;
  return (
    <Field label="Name" error={taken ?? error} good={name && !error ? free : null} help="Letters, digits, _ and -. Cannot be changed later.">
      {(id, described) => (
        <span className={taken || error ? 'input mono wrong' : 'input mono'}>
          <input id={id} autoComplete="off" spellCheck={false} aria-describedby={described} {...inputProps(form, 'name')} />
        </span>
      )}
    </Field>
  );
}

interface LinesProps {
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  error: React.ReactNode;
  help?: string;
}

/** Names with values that the broker keeps beside a configuration. */
export function MetadataField({ help = 'Name and value, one a line.', ...props }: LinesProps) {
  return (
    <More title="Metadata" open={props.value !== ''}>
      <LinesField label="Metadata" placeholder="team=billing" help={help} {...props} />
    </More>
  );
}

type Medium = 'file' | 'memory';

/** Where messages are kept. `fixed` tells on edit why that stays. */
export function MediumField({ value, onChange, fixed }: { value: Medium; onChange: (value: Medium) => void; fixed: string | null }) {
  if (fixed) return <Locked label="Medium" value={value} why={fixed} />;
  return (
    <Choice
      label="Medium"
      short
      value={value}
      onChange={onChange}
      options={[
        { value: 'file', label: 'File' },
        { value: 'memory', label: 'Memory' },
      ]}
    />
  );
}

type Replicas = '1' | '3' | '5';

export function ReplicasField({ value, onChange, help }: { value: Replicas; onChange: (value: Replicas) => void; help: string }) {
  return (
    <Choice
      label="Replicas"
      short
      value={value}
      onChange={onChange}
      options={[
        { value: '1', label: '1' },
        { value: '3', label: '3, one a zone' },
        { value: '5', label: '5' },
      ]}
      help={help}
    />
  );
}

/** Tags that a node must have to carry a replica. */
export function NodeTagsField({ tags, onChange }: { tags: string[]; onChange: (tags: string[]) => void }) {
  return (
    <Field label="Only nodes tagged" optional help="Enter or comma adds one, like az:a.">
      {(id, described) => <SubjectInput id={id} describedBy={described} subjects={tags} wrong={false} placeholder="az:a" onChange={onChange} />}
    </Field>
  );
}
