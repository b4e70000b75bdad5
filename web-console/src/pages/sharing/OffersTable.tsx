import { api } from '../../api/client';
import { useRefresh, useTree } from '../../api/queries';
import type { Offer } from '../../api/types';
import { count } from '../../lib/format';
import { accountName } from '../../lib/sharing-model';
import { useCall } from '../../lib/use-call';
import { Button } from '../../ui/Button';
import { ErrorLine } from '../../ui/ErrorPanel';
import { ShortKey } from '../../ui/ShortKey';
import { StateMark, type State } from '../../ui/StateMark';
import { SubjectChip } from '../../ui/SubjectChip';
import { noteDone } from '../../ui/done-notes';

const STATE: Record<Offer['state'], [State, string]> = {
  offered: ['watch', 'waits for you'],
  accepted: ['steady', 'accepted'],
  declined: ['held', 'declined'],
  revoked: ['held', 'revoked'],
};

export function OffersTable({ account, rows, blocked, onImport }: { account: string; rows: readonly Offer[]; blocked: string | null; onImport: (offer: Offer) => void }) {
  const tree = useTree();
  const refresh = useRefresh();
  const call = useCall();
  const decide = async (offer: Offer, act: 'accept' | 'decline') => {
    const done = await call.run(async (key) => {
      const params = { path: { account, share: offer.share_id }, header: { 'Idempotency-Key': key } };
      if (act === 'accept') await api.POST('/v1/accounts/{account}/offers/{share}/actions/accept', { params });
      else await api.POST('/v1/accounts/{account}/offers/{share}/actions/decline', { params });
      await refresh('offers', 'imports');
    }, [offer.share_id, act]);
    if (!done) return;
    noteDone(`Offer ${offer.name} ${act === 'accept' ? 'accepted' : 'declined'}.`);
    if (act === 'accept' && offer.import_count === 0) onImport(offer);
  };
  const why = blocked ?? (call.busy ? 'A call is under way.' : null);
  return (
    <>
      {call.error ? <ErrorLine error={call.error} /> : null}
      <table>
        <caption className="vh">Offers to this account</caption>
        <thead>
          <tr>
            <th>Offer</th>
            <th>Subject</th>
            <th className="from-desk">From</th>
            <th>State</th>
            <th className="num from-desk">Imports</th>
            <th>
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((offer) => {
            const [state, word] = STATE[offer.state];
            return (
              <tr key={offer.share_id}>
                <td>
                  <div className="two-lines">
                    <span className="resource">{offer.name}</span>
                    <span className="tiny ink3">{offer.description || (offer.type === 'stream' ? 'messages' : 'service')}</span>
                  </div>
                </td>
                <td>
                  <SubjectChip subject={offer.subject} short />
                </td>
                <td className="ink2 from-desk"><ShortKey text={offer.exporter_public_key} what={`public key of the account that offers ${offer.name}`}>{accountName(offer.exporter_account_id, offer.exporter_public_key, tree.data)}</ShortKey></td>
                <td>
                  <StateMark state={state}>{word}</StateMark>
                </td>
                <td className={offer.import_count ? 'num from-desk' : 'num ink3 from-desk'}>{count(offer.import_count)}</td>
                <td className="num">
                  <span className="line row-actions">
                    {offer.state === 'accepted' ? (
                      <Button size="compact" aria-label={`Import ${offer.name}`} blocked={why} onClick={() => onImport(offer)}>
                        Import
                      </Button>
                    ) : null}
                    {offer.state === 'offered' || offer.state === 'declined' ? (
                      <Button size="compact" look="primary" aria-label={`Accept ${offer.name}`} blocked={why} onClick={() => void decide(offer, 'accept')}>
                        Accept
                      </Button>
                    ) : null}
                    {offer.state === 'offered' || offer.state === 'accepted' ? (
                      <Button size="compact" look="danger" aria-label={`Decline ${offer.name}`} blocked={why ?? (offer.import_count ? 'Delete its imports first.' : null)} onClick={() => void decide(offer, 'decline')}>
                        Decline
                      </Button>
                    ) : null}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
