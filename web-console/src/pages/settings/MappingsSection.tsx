import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { Account, SubjectMapping } from '../../api/types';
import { applyMapping, mappingProblem, restWeight } from '../../lib/mappings';
import { useCall } from '../../lib/use-call';
import { Button } from '../../ui/Button';
import { FormDialog } from '../../ui/FormDialog';
import { PlainField } from '../../ui/FormFields';
import { Section } from '../../ui/Page';
import { SubjectChip } from '../../ui/SubjectChip';
import { noteDone } from '../../ui/done-notes';

/** Subjects that are published under another one, by weight; with a tester. */
export function MappingsSection({ account, blocked }: { account: Account; blocked: string | null }) {
  const [editing, setEditing] = useState<number | 'new' | null>(null);
  const [tried, setTried] = useState('');
  const refresh = useRefresh();
  const call = useCall();
  const list = account.mappings;
  const save = (next: SubjectMapping[]) =>
    call.run(async () => {
      await api.PATCH('/v1/accounts/{account}', { params: { path: { account: account.id }, header: { 'If-Match': account.etag } }, body: { mappings: next }, headers: { 'Content-Type': 'application/merge-patch+json' } });
      await refresh('account');
    }, next);
  const hit = tried ? list.map((mapping) => applyMapping(mapping, tried)).find((found) => found !== null) : null;
  return (
    <Section
      title="Subject mappings"
      aside="messages that are published on one subject and arrive on another"
      end={
        <Button size="compact" blocked={blocked} onClick={() => setEditing('new')}>
          <IconPlus size={14} stroke={1.8} aria-hidden="true" />
          Add mapping
        </Button>
      }
    >
      {list.length === 0 ? (
        <p className="small ink3">None. A mapping moves traffic without a change of clients, in parts of a percent for a trial.</p>
      ) : (
        <>
          <table style={{ maxWidth: 900 }}>
            <caption className="vh">Subject mappings</caption>
            <thead>
              <tr>
                <th>Published on</th>
                <th>Arrives on</th>
                <th>
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((mapping, i) => (
                <tr key={mapping.subject}>
                  <td>
                    <SubjectChip subject={mapping.subject} short />
                  </td>
                  <td>
                    <div className="two-lines">
                      {mapping.destinations.map((destination) => (
                        <span key={`${destination.subject}/${destination.cluster ?? ''}`} className="line wrap">
                          <SubjectChip subject={destination.subject} short />
                          <span className="tiny ink2">
                            {destination.weight ?? 100} %{destination.cluster ? ` in ${destination.cluster}` : ''}
                          </span>
                        </span>
                      ))}
                      {restWeight(mapping) > 0 && mapping.destinations.some((entry) => !entry.cluster) ? <span className="tiny ink3">{restWeight(mapping)} % stay on the subject or are dropped where nothing maps them</span> : null}
                    </div>
                  </td>
                  <td className="num">
                    <span className="line row-actions">
                      <Button size="compact" aria-label={`Edit mapping of ${mapping.subject}`} blocked={blocked} onClick={() => setEditing(i)}>
                        Edit
                      </Button>
                      <Button
                        size="compact"
                        look="danger"
                        aria-label={`Remove mapping of ${mapping.subject}`}
                        blocked={blocked ?? (call.busy ? 'A call is under way.' : null)}
                        onClick={() =>
                          void save(list.filter((_, at) => at !== i)).then((done) =>
                            done ? noteDone(`Mapping of ${mapping.subject} removed.`) : undefined,
                          )
                        }
                      >
                        Remove
                      </Button>
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <div style={{ maxWidth: 420, marginTop: 14 }}>
            <PlainField label="Try a subject" mono optional value={tried} onChange={setTried} placeholder="orders.eu.7" />
          </div>
          {tried ? (
            <p className="small ink2" role="status" style={{ marginTop: 6 }}>
              {hit ? (
                <>
                  Arrives on{' '}
                  {hit.map((way, i) => (
                    <span key={i}>
                      {i ? ', ' : ''}
                      <span className="mono">{way.subject}</span> {way.weight < 100 ? `(${way.weight} %)` : ''}
                      {way.cluster ? ` in ${way.cluster}` : ''}
                    </span>
                  ))}
                  .
                </>
              ) : (
                'No mapping matches: it keeps its subject.'
              )}
            </p>
          ) : null}
        </>
      )}
      {call.error && editing === null ? <p className="error-line">{call.error.message}</p> : null}
      {editing !== null ? (
        <MappingDialog
          start={editing === 'new' ? null : (list[editing] ?? null)}
          taken={list.filter((_, at) => at !== editing).map((mapping) => mapping.subject)}
          call={call}
          onClose={() => setEditing(null)}
          onSave={async (mapping) => {
            const next = editing === 'new' ? [...list, mapping] : list.map((other, at) => (at === editing ? mapping : other));
            if (!(await save(next))) return;
            noteDone(`Mapping of ${mapping.subject} saved.`);
            setEditing(null);
          }}
        />
      ) : null}
    </Section>
  );
}

interface DialogProps {
  start: SubjectMapping | null;
  taken: readonly string[];
  call: ReturnType<typeof useCall>;
  onClose: () => void;
  onSave: (mapping: SubjectMapping) => Promise<void>;
}

function MappingDialog({ start, taken, call, onClose, onSave }: DialogProps) {
  const [subject, setSubject] = useState(start?.subject ?? '');
  const [ways, setWays] = useState(start?.destinations.map((entry) => ({ subject: entry.subject, weight: String(entry.weight ?? 100), cluster: entry.cluster ?? '' })) ?? [{ subject: '', weight: '100', cluster: '' }]);
  const mapping: SubjectMapping = { subject, destinations: ways.map((way) => ({ subject: way.subject, weight: Number(way.weight), ...(way.cluster ? { cluster: way.cluster } : {}) })) };
  const wrong = mappingProblem(mapping) ?? (taken.includes(subject) ? `${subject} is mapped already.` : null);
  const set = (i: number, change: Partial<(typeof ways)[number]>) => setWays((before) => before.map((way, at) => (at === i ? { ...way, ...change } : way)));
  return (
    <FormDialog opened onClose={onClose} title={start ? 'Edit mapping' : 'Add mapping'} lead="$1 stands for the first wildcard of the subject." act="Save mapping" blocked={wrong} call={call} onSubmit={() => onSave(mapping)}>
      <PlainField label="Published on" mono value={subject} onChange={setSubject} placeholder="orders.*" autoFocus />
      {ways.map((way, i) => (
        <div key={i} className="source-box" role="group" aria-label={`Destination ${i + 1}`}>
          <PlainField label="Arrives on" mono value={way.subject} onChange={(value) => set(i, { subject: value })} placeholder="orders.v2.$1" />
          <div className="pair">
            <PlainField label="Percent" value={way.weight} onChange={(value) => set(i, { weight: value })} />
            <PlainField label="Only in cluster" mono optional value={way.cluster} onChange={(value) => set(i, { cluster: value })} />
          </div>
          {ways.length > 1 ? (
            <div>
              <Button size="compact" onClick={() => setWays(ways.filter((_, at) => at !== i))}>
                <IconTrash size={14} stroke={1.6} aria-hidden="true" />
                Remove destination {i + 1}
              </Button>
            </div>
          ) : null}
        </div>
      ))}
      <div>
        <Button size="compact" onClick={() => setWays([...ways, { subject: '', weight: String(Math.max(1, restWeight(mapping))), cluster: '' }])}>
          Add destination
        </Button>
      </div>
      {wrong && subject ? <p className="error-line">{wrong}</p> : null}
    </FormDialog>
  );
}
