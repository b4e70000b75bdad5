import type { AuditEvent, FieldChange } from '../api/types';
import { configValue } from '../lib/config-words';
import { dateTime, exactTime, fromNow } from '../lib/format';
import { usePrefs } from '../lib/prefs';
import { useNow } from '../lib/use-now';
import { StateMark } from './StateMark';

const PAST: Record<string, string> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  purged: 'purged',
  issued: 'issued',
  revoked: 'revoked',
};

/** "stream.created" on "/v1/accounts/…/streams/ORDERS" becomes "Stream ORDERS created". */
export function auditWords(event: AuditEvent): { what: string; name: string; did: string } {
  const [kind = event.action, verb = ''] = event.action.split(/\.(?=[^.]*$)/);
  const noun = kind.replace(/[._]/g, ' ').replace('organization', 'organisation').replace('signing key', 'signing-key').replace('kv ', 'KV ');
  const name = decodeURIComponent(event.resource.split('/').filter(Boolean).at(-1) ?? '');
  const given = event.details.user ?? event.details.name;
  return {
    what: noun.charAt(0).toUpperCase() + noun.slice(1),
    name: typeof given === 'string' ? given : name,
    did: PAST[verb] ?? verb.replace(/_/g, ' '),
  };
}

/** "max_bytes 20 GB to 25 GB" of a change that was recorded field by field. */
function auditChanges(event: AuditEvent): string {
  const { changes } = event.details;
  if (!Array.isArray(changes)) return '';
  const known = changes.filter((change): change is FieldChange => typeof change === 'object' && change !== null && 'field' in change);
  const words = known.slice(0, 2).map((change) => `${change.field} ${configValue(change.field, change.from)} to ${configValue(change.field, change.to)}`);
  return words.join(', ') + (known.length > 2 ? ` and ${known.length - 2} more` : '');
}

export function AuditTable({ events, caption, brief }: { events: readonly AuditEvent[]; caption: string; brief?: boolean }) {
  const { zone } = usePrefs();
  const now = useNow(10_000);
  return (
    <table>
      <caption className="vh">{caption}</caption>
      {brief ? null : (
        <thead>
          <tr>
            <th>Time</th>
            <th>What</th>
            <th className="from-desk">Who</th>
            <th className="from-desk from-1060">From</th>
            <th className="from-desk from-wide">Request</th>
          </tr>
        </thead>
      )}
      <tbody>
        {events.map((event) => {
          const words = auditWords(event);
          return (
            <tr key={event.id}>
              <td className="ink3 nowrap" style={{ width: brief ? 110 : undefined }} title={exactTime(event.time, zone)}>
                {brief ? (
                  fromNow(event.time, now)
                ) : (
                  <>
                    <span className="from-desk">{dateTime(event.time, zone)}</span>
                    <span className="only-phone">{fromNow(event.time, now)}</span>
                  </>
                )}
              </td>
              <td>
                {event.result === 'failure' ? <StateMark state="fault" hidden="Failed:" /> : null} {words.what}{' '}
                <span className="mono break">{words.name}</span> {words.did}
                {auditChanges(event) ? <span className="ink3">: {auditChanges(event)}</span> : null}
                <div className="only-phone tiny ink3">{event.actor.name}</div>
              </td>
              <td className={brief ? 'num ink2 from-desk' : 'ink2 from-desk'}>{event.actor.name}</td>
              {brief ? null : (
                <>
                  <td className="ink3 from-desk from-1060">{event.ip ?? '–'}</td>
                  <td className="mono ink3 from-desk from-wide">{event.request_id ?? '–'}</td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
