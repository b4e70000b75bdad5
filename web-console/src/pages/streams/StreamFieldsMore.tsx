import { FORM_UNITS } from '../../lib/duration';
import { textProps } from '../../lib/form-input';
import type { StreamForm } from '../../lib/stream-form';
import { Choice } from '../../ui/Field';
import { CheckField, Locked, More, TextField } from '../../ui/FormFields';
import { AmountField } from './AmountField';
import { MediumField, NodeTagsField, ReplicasField } from './SharedFields';
import type { StreamFormApi } from './StreamFields';

interface Props {
  form: StreamFormApi;
  editing: StreamForm | undefined;
}

type Flag = 'compress' | 'allowDirect' | 'mirrorDirect' | 'allowRollup' | 'allowAtomic' | 'allowBatched' | 'allowCounter' | 'allowSchedules' | 'noAck' | 'denyDelete' | 'denyPurge' | 'protect' | 'sealed' | 'republishHeaders';

function Check({ form, field, text, help, fixed }: { form: StreamFormApi; field: Flag; text: string; help: string; fixed?: string | undefined }) {
  return <CheckField checked={form.values[field]} onChange={(checked) => form.setFieldValue(field, checked)} text={text} help={help} fixed={fixed} />;
}

export function StorageAndBehaviour({ form, editing }: Props) {
  const values = form.values;
  const check = (field: Flag, text: string, help: string, fixed?: string) => <Check form={form} field={field} text={text} help={help} fixed={fixed} />;
  const stays = 'Fixed when the stream is made.';
  return (
    <>
      <div className="form-group">
        <h2>Storage</h2>
        <div>
          <MediumField value={values.storage} onChange={(value) => form.setFieldValue('storage', value)} fixed={editing ? 'Fixed: stored messages do not move between disk and memory.' : null} />
          <ReplicasField value={values.replicas} onChange={(value) => form.setFieldValue('replicas', value)} help={values.replicas === '1' ? 'On one node: while it is down, the stream waits.' : `Any ${(Number(values.replicas) - 1) / 2} may be lost at once; the stream goes on.`} />
          {check('compress', 'Compress on disk (s2)', 'Does not change what clients see.')}
          <More title="Placement, persistence, first sequence" open={values.placementCluster !== '' || values.placementTags.length > 0 || values.persist === 'async' || (!editing && values.firstSeq !== '')}>
            <TextField form={form} path="placementCluster" label="Cluster" mono optional help="Empty lets the broker choose." />
            <NodeTagsField tags={values.placementTags} onChange={(tags) => form.setFieldValue('placementTags', tags)} />
            {editing ? (
              <Locked label="Persistence" value={values.persist} why={stays} />
            ) : (
              <Choice
                label="Persistence"
                short
                value={values.persist}
                onChange={(value) => form.setFieldValue('persist', value)}
                options={[
                  { value: 'default', label: 'Before OK' },
                  { value: 'async', label: 'Soon after' },
                ]}
                help={values.persist === 'async' ? 'Faster; the last moments before a crash may be lost. One replica only.' : 'What a publisher heard OK for is on disk.'}
              />
            )}
            {editing ? null : <TextField form={form} path="firstSeq" label="First sequence" mono optional placeholder="1" />}
          </More>
        </div>
      </div>
      <div className="form-group">
        <h2>Behaviour</h2>
        <div>
          {check('allowDirect', 'Allow direct get', 'Clients read single messages without a consumer; this console does too.')}
          {check('allowRollup', 'Allow roll-up headers', 'A publisher may replace all earlier messages of a subject by one.')}
          <More title="Acknowledgement, batches, counters, schedules" open={values.noAck || values.allowAtomic || values.allowBatched || values.allowCounter || values.allowSchedules || values.mirrorDirect}>
            {check('noAck', 'Do not acknowledge', 'Publishers get no answer and do not know whether a message is kept.')}
            {check('mirrorDirect', 'Answer direct gets of the mirrored stream', 'Only for a mirror.')}
            {check('allowAtomic', 'Allow atomic batches', 'A publisher may send several messages that are kept all or not at all.')}
            {check('allowBatched', 'Allow fast batches', 'A publisher may send many messages with few answers.')}
            {check('allowCounter', 'Messages are counters', 'A number is added to the last one of the subject.', editing ? stays : undefined)}
            {check('allowSchedules', 'Allow schedules', 'A message may be published again at a later time. Cannot be forbidden again.', editing?.allowSchedules ? 'Allowed, which cannot be taken back.' : undefined)}
          </More>
          <More title="Publish again what is kept" open={values.republishDest !== ''}>
            <div className="pair">
              <TextField form={form} path="republishSrc" label="Messages of" mono optional placeholder=">" />
              <TextField form={form} path="republishDest" label="On subject" mono optional placeholder="kept.>" />
            </div>
            {check('republishHeaders', 'Headers only', 'The payload is left out.')}
          </More>
        </div>
      </div>
    </>
  );
}

export function GuardRails({ form, editing }: Props) {
  const values = form.values;
  const check = (field: Flag, text: string, help: string, fixed?: string) => <Check form={form} field={field} text={text} help={help} fixed={fixed} />;
  const oneWay = 'Set, which cannot be taken back.';
  return (
    <div className="form-group">
      <h2>Guard rails</h2>
      <div>
        {check('protect', 'Protect from deletion', 'The stream cannot be deleted until this is taken off; messages go by its limits as ever.')}
        {check('denyDelete', 'Forbid deleting single messages', 'One way: it cannot be allowed again.', editing?.denyDelete ? oneWay : undefined)}
        {check('denyPurge', 'Forbid purging', 'One way: it cannot be allowed again.', editing?.denyPurge ? oneWay : undefined)}
        {editing ? check('sealed', 'Seal: nothing is added or taken any more', 'One way: a sealed stream stays sealed.', editing.sealed ? oneWay : undefined) : null}
        <More title="Limits of its consumers" open={values.limitAckPending !== '' || values.limitInactive !== ''}>
          <div className="pair">
            <AmountField label="Out for ack at most" {...textProps(form, 'limitAckPending')} help="Messages, for each consumer." />
            <AmountField
              label="Removed when idle for"
              placeholder="never"
              {...textProps(form, 'limitInactive')}
              unit={{ value: values.limitInactiveUnit, options: FORM_UNITS, onChange: (unit) => form.setFieldValue('limitInactiveUnit', unit) }}
              help="The longest a consumer may ask for."
            />
          </div>
        </More>
      </div>
    </div>
  );
}
