import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh, useTree } from '../../api/queries';
import type { Import } from '../../api/types';
import { exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { accountName } from '../../lib/sharing-model';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { DangerDialog } from '../../ui/DangerDialog';
import { ShortKey } from '../../ui/ShortKey';
import { StateMark, type State } from '../../ui/StateMark';
import { SubjectChip } from '../../ui/SubjectChip';
import { CopyTerraform } from '../../ui/Terraform';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';

const STATE: Record<Import['state'], [State, string]> = {
  active: ['steady', 'works'],
  pending: ['work', 'share not accepted yet'],
  revoked: ['fault', 'share revoked'],
  broken: ['fault', 'export gone'],
};

export function ImportsTable({ rows, blocked, onEdit }: { rows: readonly Import[]; blocked: string | null; onEdit: (entry: Import) => void }) {
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const tree = useTree();
  const refresh = useRefresh();
  const [deleting, setDeleting] = useState<Import | null>(null);
  return (
    <>
      <table>
        <caption className="vh">Imports</caption>
        <thead>
          <tr>
            <th>Import</th>
            <th>Subject</th>
            <th className="from-desk">From</th>
            <th>State</th>
            <th className="num from-desk from-1060">Ends</th>
            <th>
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => {
            const [state, word] = STATE[entry.state];
            return (
              <tr key={entry.id}>
                <td>
                  <div className="two-lines">
                    <span className="resource">{entry.name}</span>
                    <span className="tiny ink3">{entry.type === 'stream' ? 'messages' : 'service'}</span>
                  </div>
                </td>
                <td>
                  <div className="two-lines">
                    <SubjectChip subject={entry.local_subject ?? entry.subject} short />
                    {entry.local_subject && entry.local_subject !== entry.subject ? <span className="tiny ink3 mono break">there {entry.subject}</span> : null}
                  </div>
                </td>
                <td className="ink2 from-desk"><ShortKey text={entry.remote_public_key} what={`public key of the account behind ${entry.name}`}>{accountName(entry.remote_account_id, entry.remote_public_key, tree.data)}</ShortKey></td>
                <td>
                  <StateMark state={state}>{word}</StateMark>
                </td>
                <td className="num ink2 from-desk from-1060">{entry.expires_at ? <Exact value={fromNow(entry.expires_at, now)} exact={exactTime(entry.expires_at, zone)} /> : 'never'}</td>
                <td className="num">
                  <span className="line row-actions">
                    <CopyTerraform kind="import" object={entry} what={`import ${entry.name}`} size="compact" />
                    <Button size="compact" aria-label={`Edit ${entry.name}`} blocked={blocked} onClick={() => onEdit(entry)}>
                      Edit
                    </Button>
                    <Button size="compact" look="danger" aria-label={`Delete ${entry.name}`} blocked={blocked} onClick={() => setDeleting(entry)}>
                      Delete
                    </Button>
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <DangerDialog
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        act="Delete import"
        name={deleting?.name ?? ''}
        impact={[{ what: 'Subject that goes silent here', figure: deleting?.local_subject ?? deleting?.subject ?? '' }]}
        consequence="Clients of this account get nothing from it any more. It can be made again while the share lasts."
        onConfirm={async () => {
          if (!deleting) return;
          await api.DELETE('/v1/imports/{import}', { params: { path: { import: deleting.id }, header: { 'If-Match': deleting.etag } } });
          await refresh('imports', 'offers');
          noteDone(`Import ${deleting.name} deleted.`);
        }}
      />
    </>
  );
}
