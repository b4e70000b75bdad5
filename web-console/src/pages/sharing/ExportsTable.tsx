import { Fragment, useState } from 'react';
import { useQuery } from '../../api/use-query';
import { api, dryBody } from '../../api/client';
import { useRefresh, useTree } from '../../api/queries';
import { useShares } from '../../api/resources';
import type { Export, Share } from '../../api/types';
import { type FormUnit, formToMs, toDuration } from '../../lib/duration';
import { count, exactTime, fromNow } from '../../lib/format';
import { impactRows } from '../../lib/impact-words';
import { usePrefs } from '../../lib/prefs';
import { lifeProblem } from '../../lib/scopes';
import { accountName } from '../../lib/sharing-model';
import { useCall } from '../../lib/use-call';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { DangerDialog } from '../../ui/DangerDialog';
import { Choice } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { CheckField, PlainField, SelectField } from '../../ui/FormFields';
import { Listing } from '../../ui/Listing';
import { RowButton } from '../../ui/RowButton';
import { ShortKey } from '../../ui/ShortKey';
import { StateMark, type State } from '../../ui/StateMark';
import { SubjectChip } from '../../ui/SubjectChip';
import { CopyTerraform } from '../../ui/Terraform';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';
import { useTableKeys } from '../../ui/use-table-keys';
import { LifeField } from '../service-accounts/TokenDialog';

const SHARE_STATE: Record<Share['state'], [State, string]> = {
  offered: ['work', 'waits for the other account'],
  accepted: ['steady', 'accepted'],
  declined: ['held', 'declined'],
  revoked: ['held', 'revoked'],
};

interface Props {
  account: string;
  rows: readonly Export[];
  blocked: string | null;
  onEdit: (entry: Export) => void;
}

const idOf = (entry: Export) => entry.id;

export function ExportsTable({ account, rows, blocked, onEdit }: Props) {
  const refresh = useRefresh();
  const [opened, setOpened] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<Export | null>(null);
  const toggle = (entry: Export) => setOpened((before) => (before === entry.id ? null : entry.id));
  const active = useTableKeys({ rows, id: idOf, onOpen: toggle, copy: (entry) => entry.subject });
  const impact = useQuery({
    queryKey: ['delete-impact', account, deleting?.id, deleting?.etag],
    enabled: deleting !== null,
    staleTime: 0,
    queryFn: async () => dryBody(await api.DELETE('/v1/exports/{export}', { params: { path: { export: deleting?.id ?? '' }, header: { 'If-Match': deleting?.etag ?? '' }, query: { dry_run: true } } })),
  });
  return (
    <>
      <table className="pick">
        <caption className="vh">Exports</caption>
        <thead>
          <tr>
            <th>Export</th>
            <th>Subject</th>
            <th className="from-desk">Kind</th>
            <th className="from-desk">Who may import</th>
            <th className="num">Shares</th>
            <th className="from-desk from-1060">Broker</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <Fragment key={entry.id}>
              <tr id={`row-${entry.id}`} className={active === entry.id ? 'at-keys' : undefined} onClick={() => toggle(entry)}>
                <td>
                  <div className="two-lines">
                    <RowButton opened={opened === entry.id} onToggle={() => toggle(entry)}>
                      {entry.name}
                    </RowButton>
                    {entry.description ? <span className="tiny ink3">{entry.description}</span> : null}
                  </div>
                </td>
                <td>
                  <SubjectChip subject={entry.subject} short />
                </td>
                <td className="ink2 from-desk">{entry.type === 'stream' ? 'messages' : 'service'}</td>
                <td className="ink2 from-desk">{entry.token_required ? 'accounts with a share' : 'any account'}</td>
                <td className={entry.share_count ? 'num' : 'num ink3'}>{count(entry.share_count)}</td>
                <td className="from-desk from-1060">
                  <StateMark state={entry.sync.state === 'synced' ? 'steady' : entry.sync.state === 'failed' ? 'fault' : 'work'}>{entry.sync.state === 'synced' ? 'in sync' : entry.sync.state}</StateMark>
                </td>
              </tr>
              {opened === entry.id ? (
                <tr className="detail-row">
                  <td colSpan={6}>
                    <Detail entry={entry} blocked={blocked} onEdit={() => onEdit(entry)} onDelete={() => setDeleting(entry)} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
      <DangerDialog
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        act="Delete export"
        name={deleting?.name ?? ''}
        impact={impactRows(impact.data?.affected)}
        consequence={impact.data?.warnings.join(' ') || 'Accounts that import it get nothing from now on. There is no undo.'}
        onConfirm={async () => {
          if (!deleting) return;
          await api.DELETE('/v1/exports/{export}', { params: { path: { export: deleting.id }, header: { 'If-Match': deleting.etag } } });
          await refresh('exports');
          noteDone(`Export ${deleting.name} deleted.`);
        }}
      />
    </>
  );
}

function Detail({ entry, blocked, onEdit, onDelete }: { entry: Export; blocked: string | null; onEdit: () => void; onDelete: () => void }) {
  const shares = useShares(entry.id);
  const tree = useTree();
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const [offering, setOffering] = useState(false);
  const [taking, setTaking] = useState<Share | null>(null);
  const nameOf = (share: Share) => accountName(share.target_account_id, share.target_public_key, tree.data);
  return (
    <div className="stack" style={{ padding: '10px 0 14px 18px' }}>
      <Listing query={shares} what={`shares of ${entry.name}`} columns={['Account', 'State']} rows={1} empty={<p className="small ink3">{entry.token_required ? 'No account may import it yet.' : 'Any account may import it; no share is needed.'}</p>}>
        {(rows) => (
          <table>
            <caption className="vh">Shares of {entry.name}</caption>
            <thead>
              <tr>
                <th>Account</th>
                <th>State</th>
                <th className="num from-desk">Ends</th>
                <th>
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((share) => {
                const [state, word] = SHARE_STATE[share.state];
                return (
                  <tr key={share.id}>
                    <td><ShortKey text={share.target_public_key} what={`public key of ${nameOf(share)}`}>{nameOf(share)}</ShortKey></td>
                    <td>
                      <StateMark state={state}>{word}</StateMark>
                    </td>
                    <td className="num ink2 from-desk">{share.expires_at ? <Exact value={fromNow(share.expires_at, now)} exact={exactTime(share.expires_at, zone)} /> : 'never'}</td>
                    <td className="num">
                      <span className="line row-actions">
                        <CopyTerraform kind="share" object={share} what={`share with ${nameOf(share)}`} size="compact" />
                        <Button size="compact" look="danger" aria-label={`Revoke share with ${nameOf(share)}`} blocked={blocked} onClick={() => setTaking(share)}>
                          Revoke
                        </Button>
                      </span>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </Listing>
      <div className="line wrap">
        <Button size="compact" look="primary" blocked={blocked} onClick={() => setOffering(true)}>
          Share with an account
        </Button>
        <Button size="compact" blocked={blocked} onClick={onEdit}>
          Edit
        </Button>
        <CopyTerraform kind="export" object={entry} what={`export ${entry.name}`} size="compact" />
        <Button size="compact" look="danger" blocked={blocked} onClick={onDelete}>
          Delete export
        </Button>
      </div>
      {offering ? <OfferDialog entry={entry} shares={shares.data ?? []} onClose={() => setOffering(false)} /> : null}
      <DangerDialog
        opened={taking !== null}
        onClose={() => setTaking(null)}
        act="Revoke share with"
        name={taking ? nameOf(taking) : ''}
        impact={[{ what: 'Export', figure: entry.name }]}
        consequence="Imports that rest on it stop at once. A new share can be offered."
        onConfirm={async () => {
          if (!taking) return;
          await api.DELETE('/v1/shares/{share}', { params: { path: { share: taking.id }, header: { 'If-Match': taking.etag } } });
          await refresh('shares', 'exports');
          noteDone(`Share with ${nameOf(taking)} revoked.`);
        }}
      />
    </div>
  );
}

function OfferDialog({ entry, shares, onClose }: { entry: Export; shares: readonly Share[]; onClose: () => void }) {
  const refresh = useRefresh();
  const tree = useTree();
  const call = useCall();
  const [to, setTo] = useState<'own' | 'other'>('own');
  const [target, setTarget] = useState('');
  const [key, setKey] = useState('');
  const [accept, setAccept] = useState(true);
  const [ends, setEnds] = useState(false);
  const [life, setLife] = useState('90');
  const [unit, setUnit] = useState<FormUnit>('days');
  const keyWrong = key && !/^A[A-Z2-7]{55}$/.test(key.trim()) ? 'A public account key is 56 characters long and starts with A.' : null;
  const lifeWrong = ends ? lifeProblem(life, unit, 3650) : null;
  const free = (tree.data ?? []).filter(({ account }) => account.id !== entry.account_id && !shares.some((share) => share.target_account_id === account.id && share.state !== 'revoked'));
  const blocked = to === 'own' ? (target ? lifeWrong : 'Choose an account.') : (keyWrong ?? (key ? lifeWrong : 'The public key of the account is needed.'));
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={
        <>
          Share <span className="mono">{entry.name}</span>
        </>
      }
      lead="The account may import it from then on."
      act="Share with account"
      blocked={blocked}
      call={call}
      onSubmit={async () => {
        const expiry = ends ? { expires_in: toDuration(formToMs(Number(life), unit)) } : {};
        const body = to === 'own' ? { target_account_id: target, auto_accept: accept, ...expiry } : { target_public_key: key.trim(), ...expiry };
        const done = await call.run(async (idempotency) => {
          await api.POST('/v1/exports/{export}/shares', { params: { path: { export: entry.id }, header: { 'Idempotency-Key': idempotency } }, body });
          await refresh('shares', 'exports');
        }, body);
        if (!done) return;
        noteDone(`${entry.name} is shared.`);
        onClose();
      }}
    >
      <Choice
        label="With"
        value={to}
        onChange={setTo}
        options={[
          { value: 'own', label: 'An account of ours' },
          { value: 'other', label: 'An account of another organisation' },
        ]}
      />
      {to === 'own' ? (
        <>
          <SelectField
            label="Account"
            mono
            value={target}
            onChange={setTarget}
            options={[{ value: '', label: free.length ? 'Choose' : 'Every account has a share already' }, ...free.map(({ account, project }) => ({ value: account.id, label: `${account.name}, ${project.name}` }))]}
          />
          <CheckField checked={accept} onChange={setAccept} text="Accept at once in its name" />
        </>
      ) : (
        <PlainField label="Public key of the account" mono value={key} onChange={setKey} error={keyWrong} placeholder="A…" help="Its people find it under Connect." />
      )}
      <CheckField checked={ends} onChange={setEnds} text="It ends by itself" />
      {ends ? <LifeField life={life} unit={unit} error={lifeWrong} onLife={setLife} onUnit={setUnit} help="Imports stop then." /> : null}
    </FormDialog>
  );
}
