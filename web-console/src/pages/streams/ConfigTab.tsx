import { IconPencil } from '@tabler/icons-react';
import type { Stream } from '../../api/types';
import { streamCreateTabs } from '../../lib/code-tabs';
import { configValue } from '../../lib/config-words';
import { dateTime } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { briefConfig, fromStream } from '../../lib/stream-model';
import { GuardedLink } from '../../frame/GuardedLink';
import { CodeTabs } from '../../ui/Code';
import { Section } from '../../ui/Page';

const GROUPS: [string, (keyof Stream)[]][] = [
  ['Identity', ['name', 'description', 'subjects', 'mirror', 'sources', 'subject_transform', 'metadata']],
  [
    'Retention',
    ['retention', 'max_age', 'max_bytes', 'max_msgs', 'max_msgs_per_subject', 'max_msg_size', 'discard', 'discard_new_per_subject', 'duplicate_window', 'max_consumers'],
  ],
  ['Storage', ['storage', 'num_replicas', 'compression', 'placement', 'first_seq']],
  [
    'Behaviour',
    ['no_ack', 'allow_direct', 'mirror_direct', 'allow_rollup_hdrs', 'allow_msg_ttl', 'allow_atomic', 'allow_batched', 'allow_msg_counter', 'allow_msg_schedules', 'republish', 'consumer_limits'],
  ],
  ['Guard rails', ['deny_delete', 'deny_purge', 'sealed']],
];

/** The configuration as the broker has it, and the code that makes the same stream. */
export function ConfigTab({ account, stream }: { account: string; stream: Stream }) {
  const { zone } = usePrefs();
  return (
    <div className="form-grid" style={{ marginTop: 18 }}>
      <div>
        {GROUPS.map(([title, fields], i) => {
          const shown = fields.filter((field) => stream[field] !== undefined && stream[field] !== null);
          if (shown.length === 0) return null;
          return (
            <Section key={title} title={title} first={i === 0}>
              <dl className="pairs even">
                {shown.map(String).map((field) => (
                  <div key={field} style={{ display: 'contents' }}>
                    <dt className="mono">{field}</dt>
                    <dd>{configValue(field, stream[field as keyof Stream])}</dd>
                  </div>
                ))}
                {title === 'Identity' ? (
                  <>
                    <dt>Created</dt>
                    <dd>{dateTime(stream.created_at, zone)}</dd>
                  </>
                ) : null}
              </dl>
            </Section>
          );
        })}
      </div>
      <aside>
        <div className="line" style={{ marginBottom: 12 }}>
          <h2 className="h2 grow">The same as code</h2>
          <GuardedLink needs="streams:write" to="/accounts/$account/streams/$stream/edit" params={{ account, stream: stream.name }}>
            <IconPencil size={15} stroke={1.6} aria-hidden="true" />
            Edit
          </GuardedLink>
        </div>
        <CodeTabs tabs={streamCreateTabs(account, briefConfig(fromStream(stream)), true)} label="The same stream as code" />
      </aside>
    </div>
  );
}
