import { useQuery } from '../../api/use-query';
import { useState } from 'react';
import { api, dryBody } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import type { Account, DryRun } from '../../api/types';
import { dateTime } from '../../lib/format';
import { impactRows } from '../../lib/impact-words';
import { usePrefs } from '../../lib/prefs';
import { Button } from '../../ui/Button';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Section } from '../../ui/Page';
import { noteDone } from '../../ui/done-notes';

/** Deleting the account: with its counts, and until when it can be had again. */
export function DangerZone({ account, blocked }: { account: Account; blocked: string | null }) {
  const { zone } = usePrefs();
  const refresh = useRefresh();
  const [deleting, setDeleting] = useState(false);
  const options = { params: { path: { account: account.id }, header: { 'If-Match': account.etag } } };
  const impact = useQuery({
    queryKey: ['delete-impact', account.id, account.etag],
    enabled: deleting,
    staleTime: 0,
    queryFn: async () => dryBody(await api.DELETE('/v1/accounts/{account}', { ...options, params: { ...options.params, query: { dry_run: true } } })) as DryRun,
  });
  const gone = account.state !== 'active' && account.state !== 'suspended';
  return (
    <Section title="Danger zone">
      <div className="line wrap">
        <div className="grow" style={{ minWidth: 260 }}>
          <p className="bold">Delete account</p>
          <p className="small ink2">Every client is disconnected. Streams, users and keys are kept for some days, then gone for good.</p>
        </div>
        <Button look="danger" blocked={blocked ?? (gone ? 'It is deleted already.' : account.deletion_protection ? 'It is protected from deletion: take the protection off first, above.' : null)} onClick={() => setDeleting(true)}>
          Delete account
        </Button>
      </div>
      <DangerDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        act="Delete account"
        name={account.name}
        impact={impactRows(impact.data?.affected)}
        consequence={
          impact.error ? (
            <ErrorLine error={asApiError(impact.error)} />
          ) : (
            <>
              {impact.data?.warnings.join(' ')} {impact.data?.restorable_until ? `It can be restored until ${dateTime(impact.data.restorable_until, zone)}; until then its name stays taken.` : 'There is no undo.'}
            </>
          )
        }
        onConfirm={async () => {
          await api.DELETE('/v1/accounts/{account}', options);
          await refresh('account', 'tree', 'operations');
          noteDone(`Account ${account.name} is being deleted.`);
        }}
      />
    </Section>
  );
}
