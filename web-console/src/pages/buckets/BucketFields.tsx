import type { UseFormReturnType } from '@mantine/form';
import type { BucketForm } from '../../lib/bucket-model';
import { FORM_UNITS } from '../../lib/duration';
import { inputProps } from '../../lib/form-input';
import { SIZE_UNITS } from '../../lib/size';
import { Choice, Field } from '../../ui/Field';
import { CheckField, LinesField, Locked, More, TextField } from '../../ui/FormFields';
import { AmountField } from '../streams/AmountField';
import { SubjectInput } from '../streams/SubjectInput';

export type BucketFormApi = UseFormReturnType<BucketForm & Record<string, unknown>>;

function amountProps(form: BucketFormApi, path: 'history' | 'ttl' | 'maxValue' | 'maxBytes' | 'markerTtl') {
  return {
    value: form.values[path],
    onChange: (value: string) => form.setFieldValue(path, value),
    onBlur: () => void form.validateField(path),
    error: form.errors[path],
  };
}

export function BucketFields({ form, taken, editing }: { form: BucketFormApi; taken: boolean; editing: boolean }) {
  const values = form.values;
  const kv = values.kind === 'kv';
  return (
    <>
      <div className="form-group">
        <h2>Identity</h2>
        <div>
          {editing ? (
            <Locked label="Name" value={values.name} why="Fixed: clients know the bucket by it." />
          ) : (
            <Field label="Name" error={taken ? `${values.name} exists already in this account.` : form.errors.name} good={values.name && !form.errors.name ? 'Free in this account' : null} help="Letters, digits, _ and -. Cannot be changed later.">
              {(id, described) => (
                <span className={taken || form.errors.name ? 'input mono wrong' : 'input mono'}>
                  <input id={id} autoComplete="off" spellCheck={false} aria-describedby={described} {...inputProps(form, 'name')} />
                </span>
              )}
            </Field>
          )}
          <TextField form={form} path="description" label="Description" optional />
          <More title="Metadata" open={values.metadata !== ''}>
            <LinesField label="Metadata" value={values.metadata} onChange={(value) => form.setFieldValue('metadata', value)} onBlur={() => void form.validateField('metadata')} error={form.errors.metadata} placeholder="team=billing" help="Name and value, one a line." />
          </More>
        </div>
      </div>
      <div className="form-group">
        <h2>Keeps</h2>
        <div>
          <div className="pair">
            {kv ? <AmountField label="Values of each key" placeholder="1" help="1 to 64; older ones can be looked at." {...amountProps(form, 'history')} /> : null}
            <AmountField label={kv ? 'A value for' : 'An object for'} placeholder="ever" {...amountProps(form, 'ttl')} unit={{ value: values.ttlUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('ttlUnit', unit) }} />
            {kv ? <AmountField label="Largest value" placeholder="account’s limit" {...amountProps(form, 'maxValue')} unit={{ value: values.maxValueUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxValueUnit', unit) }} /> : null}
            <AmountField label="Size" help="Then writes are refused." {...amountProps(form, 'maxBytes')} unit={{ value: values.maxBytesUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxBytesUnit', unit) }} />
          </div>
          {kv ? (
            <More title="Markers of what ended, mirror" open={values.markerTtl !== '' || (values.mirror !== '' && !editing)}>
              <AmountField label="Leave a marker for" placeholder="no marker" help="Where a value ends by its age, so that watchers hear of it." {...amountProps(form, 'markerTtl')} unit={{ value: values.markerTtlUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('markerTtlUnit', unit) }} />
              {editing ? <Locked label="Mirror of" value={values.mirror || 'none'} why="Fixed when the bucket is made." /> : <TextField form={form} path="mirror" label="Mirror of bucket" mono optional />}
            </More>
          ) : null}
        </div>
      </div>
      <div className="form-group">
        <h2>Storage</h2>
        <div>
          {editing ? (
            <Locked label="Medium" value={values.storage} why="Fixed: contents do not move between disk and memory." />
          ) : (
            <Choice
              label="Medium"
              short
              value={values.storage}
              onChange={(value) => form.setFieldValue('storage', value)}
              options={[
                { value: 'file', label: 'File' },
                { value: 'memory', label: 'Memory' },
              ]}
            />
          )}
          <Choice
            label="Replicas"
            short
            value={values.replicas}
            onChange={(value) => form.setFieldValue('replicas', value)}
            options={[
              { value: '1', label: '1' },
              { value: '3', label: '3, one a zone' },
              { value: '5', label: '5' },
            ]}
            help="Can be changed later; the contents stay."
          />
          <CheckField checked={values.compress} onChange={(checked) => form.setFieldValue('compress', checked)} text="Compress on disk (s2)" help="Does not change what clients see." />
          <More title="Placement" open={values.placementCluster !== '' || values.placementTags.length > 0}>
            <TextField form={form} path="placementCluster" label="Cluster" mono optional help="Empty lets the broker choose." />
            <Field label="Only nodes tagged" optional help="Enter or comma adds one, like az:a.">
              {(id, described) => <SubjectInput id={id} describedBy={described} subjects={values.placementTags} wrong={false} placeholder="az:a" onChange={(tags) => form.setFieldValue('placementTags', tags)} />}
            </Field>
          </More>
        </div>
      </div>
      <div className="form-group">
        <h2>Guard rails</h2>
        <div>
          <CheckField checked={values.protect} onChange={(checked) => form.setFieldValue('protect', checked)} text="Protect from deletion" help="The bucket cannot be deleted until this is taken off." />
        </div>
      </div>
    </>
  );
}
