import type { ConsumerForm } from '../../lib/consumer-model';
import { FORM_UNITS, type FormUnit } from '../../lib/duration';
import { Choice, Field } from '../../ui/Field';
import { CheckField, Locked, More, TextField } from '../../ui/FormFields';
import { AmountField } from '../streams/AmountField';
import { SubjectInput } from '../streams/SubjectInput';
import type { ConsumerFormApi } from './ConsumerFields';
import { textProps } from '../../lib/form-input';

interface Props {
  form: ConsumerFormApi;
  editing: ConsumerForm | undefined;
}

type UnitPath = 'ackWaitUnit' | 'inactiveUnit' | 'maxExpiresUnit' | 'priorityTimeoutUnit' | 'heartbeatUnit';

function unit(form: ConsumerFormApi, path: UnitPath) {
  return { value: form.values[path], options: FORM_UNITS, onChange: (next: FormUnit) => form.setFieldValue(path, next) };
}

export function Acknowledgement({ form, editing }: Props) {
  const values = form.values;
  const words = { explicit: 'It is acknowledged', all: 'A later one is', none: 'It is delivered', flow_control: 'Flow control says so' };
  return (
    <div className="form-group">
      <h2>Acknowledgement</h2>
      <div>
        {editing ? (
          <Locked label="A message is done when" value={words[values.ack]} why="Fixed when the consumer is made." />
        ) : (
          <Choice
            label="A message is done when"
            value={values.ack}
            onChange={(value) => form.setFieldValue('ack', value)}
            options={(['explicit', 'all', 'none'] as const).map((value) => ({ value, label: words[value] }))}
          />
        )}
        {values.ack === 'none' ? null : (
          <>
            <div className="pair">
              <AmountField label="Wait for the ack" placeholder="30" help="After that it comes again." {...textProps(form, 'ackWait')} unit={unit(form, 'ackWaitUnit')} />
              <AmountField label="Deliver at most" help="Times, for one message." {...textProps(form, 'maxDeliver')} />
              <AmountField label="Out for ack at once" help="Messages; then delivery pauses. Default 1,000." {...textProps(form, 'maxAckPending')} />
              <TextField form={form} path="backoff" label="Waits between tries" mono optional placeholder="1s 30s 5m" help="In place of the wait for the ack; the last one repeats." />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

export function PullOrPush({ form, editing }: Props) {
  const values = form.values;
  const pullSet = values.maxBatch !== '' || values.maxBytes !== '' || values.maxExpires !== '' || values.priority !== 'none';
  return (
    <div className="form-group">
      <h2>Delivery</h2>
      <div>
        {editing ? (
          <Locked label="Kind" value={values.type} why="Fixed: a pull consumer does not become a push consumer." />
        ) : (
          <Choice
            label="Kind"
            short
            value={values.type}
            onChange={(value) => form.setFieldValue('type', value)}
            options={[
              { value: 'pull', label: 'Pull: clients ask' },
              { value: 'push', label: 'Push: sent to a subject' },
            ]}
          />
        )}
        {values.type === 'pull' ? (
          <More title="Limits of a pull, priority groups" open={pullSet}>
            <div className="pair">
              {editing ? (
                <Locked label="Pulls that may wait" value={values.maxWaiting || '512'} why="Fixed when the consumer is made." />
              ) : (
                <AmountField label="Pulls that may wait" placeholder="512" {...textProps(form, 'maxWaiting')} />
              )}
              <AmountField label="Messages a pull" {...textProps(form, 'maxBatch')} />
              <AmountField label="Bytes a pull" {...textProps(form, 'maxBytes')} />
              <AmountField label="Longest wait of a pull" {...textProps(form, 'maxExpires')} unit={unit(form, 'maxExpiresUnit')} />
            </div>
            <Choice
              label="Priority"
              value={values.priority}
              onChange={(value) => form.setFieldValue('priority', value)}
              options={[
                { value: 'none', label: 'None' },
                { value: 'overflow', label: 'Overflow' },
                { value: 'pinned_client', label: 'One pinned client' },
                { value: 'prioritized', label: 'By priority' },
              ]}
              help="Which of several clients gets messages first."
            />
            {values.priority === 'none' ? null : (
              <Field label="Groups" error={form.errors.groups}>
                {(id, described) => (
                  <SubjectInput id={id} describedBy={described} subjects={values.groups} wrong={Boolean(form.errors.groups)} placeholder="workers" onChange={(groups) => form.setFieldValue('groups', groups)} />
                )}
              </Field>
            )}
            {values.priority === 'pinned_client' ? (
              <AmountField label="Unpin after silence of" placeholder="120" {...textProps(form, 'priorityTimeout')} unit={unit(form, 'priorityTimeoutUnit')} />
            ) : null}
          </More>
        ) : (
          <>
            <div className="pair">
              <TextField form={form} path="deliverSubject" label="Delivers to" mono placeholder="work.orders" />
              <TextField form={form} path="deliverGroup" label="Queue group" mono optional />
              {editing ? (
                <Locked label="Heartbeat" value={values.heartbeat ? `${values.heartbeat} ${values.heartbeatUnit}` : 'none'} why="Fixed when the consumer is made." />
              ) : (
                <AmountField label="Heartbeat when idle" placeholder="none" {...textProps(form, 'heartbeat')} unit={unit(form, 'heartbeatUnit')} />
              )}
              <AmountField label="Bits a second at most" {...textProps(form, 'rateLimit')} />
            </div>
            <CheckField checked={values.flowControl} onChange={(checked) => form.setFieldValue('flowControl', checked)} text="Flow control" help="The broker waits for slow clients." fixed={editing ? 'Fixed when the consumer is made.' : undefined} />
          </>
        )}
      </div>
    </div>
  );
}

export function Lifetime({ form, editing }: Props) {
  const values = form.values;
  return (
    <div className="form-group">
      <h2>Lifetime</h2>
      <div>
        <AmountField
          label="Removed when idle for"
          placeholder="never"
          help={values.inactive ? 'Ephemeral: it ends when no client used it for so long.' : 'Durable: it keeps its place while no client is connected.'}
          {...textProps(form, 'inactive')}
          unit={unit(form, 'inactiveUnit')}
        />
        <More title="Replicas, memory" open={values.replicas !== '0' || values.memory}>
          <Choice
            label="Replicas of its state"
            short
            value={values.replicas}
            onChange={(value) => form.setFieldValue('replicas', value)}
            options={[
              { value: '0', label: 'As the stream' },
              { value: '1', label: '1' },
              { value: '3', label: '3' },
              { value: '5', label: '5' },
            ]}
          />
          <CheckField checked={values.memory} onChange={(checked) => form.setFieldValue('memory', checked)} text="Keep its state in memory only" help="Faster; its place is lost when its nodes restart." fixed={editing ? 'Fixed when the consumer is made.' : undefined} />
        </More>
      </div>
    </div>
  );
}
