import type { UseFormReturnType } from '@mantine/form';
import type { BucketForm } from '../../lib/bucket-model';
import { FORM_UNITS } from '../../lib/duration';
import { textProps } from '../../lib/form-input';
import { SIZE_UNITS } from '../../lib/size';
import { CheckField, Locked, More, TextField } from '../../ui/FormFields';
import { AmountField } from '../streams/AmountField';
import { MediumField, MetadataField, NameField, NodeTagsField, ReplicasField } from '../streams/SharedFields';

export type BucketFormApi = UseFormReturnType<BucketForm & Record<string, unknown>>;

export function BucketFields({ form, taken, editing }: { form: BucketFormApi; taken: boolean; editing: boolean }) {
  const values = form.values;
  const kv = values.kind === 'kv';
  return (
    <>
      <div className="form-group">
        <h2>Identity</h2>
        <div>
          <NameField form={form} taken={taken ? `${values.name} exists already in this account.` : null} free="Free in this account" fixed={editing ? 'Fixed: clients know the bucket by it.' : null} />
          <TextField form={form} path="description" label="Description" optional />
          <MetadataField {...textProps(form, 'metadata')} />
        </div>
      </div>
      <div className="form-group">
        <h2>Keeps</h2>
        <div>
          <div className="pair">
            {kv ? <AmountField label="Values of each key" placeholder="1" help="1 to 64; older ones can be looked at." {...textProps(form, 'history')} /> : null}
            <AmountField label={kv ? 'A value for' : 'An object for'} placeholder="ever" {...textProps(form, 'ttl')} unit={{ value: values.ttlUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('ttlUnit', unit) }} />
            {kv ? <AmountField label="Largest value" placeholder="account’s limit" {...textProps(form, 'maxValue')} unit={{ value: values.maxValueUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxValueUnit', unit) }} /> : null}
            <AmountField label="Size" help="Then writes are refused." {...textProps(form, 'maxBytes')} unit={{ value: values.maxBytesUnit, options: SIZE_UNITS, onChange: (unit) => form.setFieldValue('maxBytesUnit', unit) }} />
          </div>
          {kv ? (
            <More title="Markers of what ended, mirror" open={values.markerTtl !== '' || (values.mirror !== '' && !editing)}>
              <AmountField label="Leave a marker for" placeholder="no marker" help="Where a value ends by its age, so that watchers hear of it." {...textProps(form, 'markerTtl')} unit={{ value: values.markerTtlUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('markerTtlUnit', unit) }} />
              {editing ? <Locked label="Mirror of" value={values.mirror || 'none'} why="Fixed when the bucket is made." /> : <TextField form={form} path="mirror" label="Mirror of bucket" mono optional />}
            </More>
          ) : null}
        </div>
      </div>
      <div className="form-group">
        <h2>Storage</h2>
        <div>
          <MediumField value={values.storage} onChange={(value) => form.setFieldValue('storage', value)} fixed={editing ? 'Fixed: contents do not move between disk and memory.' : null} />
          <ReplicasField value={values.replicas} onChange={(value) => form.setFieldValue('replicas', value)} help="Can be changed later; the contents stay." />
          <CheckField checked={values.compress} onChange={(checked) => form.setFieldValue('compress', checked)} text="Compress on disk (s2)" help="Does not change what clients see." />
          <More title="Placement" open={values.placementCluster !== '' || values.placementTags.length > 0}>
            <TextField form={form} path="placementCluster" label="Cluster" mono optional help="Empty lets the broker choose." />
            <NodeTagsField tags={values.placementTags} onChange={(tags) => form.setFieldValue('placementTags', tags)} />
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
