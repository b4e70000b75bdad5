import { api } from '../api/client';
import { useAccount, useRefresh } from '../api/queries';
import { dateTime } from '../lib/format';
import { usePrefs } from '../lib/prefs';
import { useCall } from '../lib/use-call';
import { Button } from '../ui/Button';
import { ErrorLine } from '../ui/ErrorPanel';
import { Note } from '../ui/states';
import { noteDone } from '../ui/done-notes';
import { useHere } from './here';
import { useDenied } from './permissions';

/** The one banner of an account that is not in service, on every page of it. */
export function AccountState() {
  const here = useHere();
  const query = useAccount(here.account.id);
  const { zone } = usePrefs();
  const refresh = useRefresh();
  const call = useCall();
  const no = useDenied('accounts:write');
  const account = query.data ?? here.account;
  if (account.state === 'active') return null;
  if (account.state === 'suspended') {
    return (
      <Note tone="fault" title="This account is suspended.">
        Clients are refused. Streams and keys are kept.
      </Note>
    );
  }
  if (account.state === 'deleting') {
    return (
      <Note tone="held" title="This account is being deleted.">
        Clients are refused. It cannot be restored any more.
      </Note>
    );
  }
  const restore = async () => {
    const done = await call.run(async (key) => {
      await api.POST('/v1/accounts/{account}/actions/restore', { params: { path: { account: account.id }, header: { 'Idempotency-Key': key } } });
      await refresh('account', 'tree', 'operations', 'streams');
    });
    if (done) noteDone(`Account ${account.name} is being restored.`);
  };
  return (
    <>
      <Note
        tone="fault"
        title="This account is deleted."
        actions={
          <Button size="compact" blocked={no ?? (call.busy ? 'The call is under way.' : null)} onClick={() => void restore()}>
            Restore account
          </Button>
        }
      >
        Clients are refused. {account.purge_at ? `It can be restored until ${dateTime(account.purge_at, zone)}, with its streams, users and keys.` : ''}
      </Note>
      {call.error ? <ErrorLine error={call.error} /> : null}
    </>
  );
}
