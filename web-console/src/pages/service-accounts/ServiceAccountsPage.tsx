import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useMyTokens, useOrgTokens, useServiceAccounts } from '../../api/resources';
import type { ApiTokenResult, ServiceAccount } from '../../api/types';
import { useHere } from '../../frame/here';
import { useDenied } from '../../frame/permissions';
import { plural } from '../../lib/format';
import { slugProblem } from '../../lib/roles';
import { useCall } from '../../lib/use-call';
import { Button } from '../../ui/Button';
import { FormDialog } from '../../ui/FormDialog';
import { PlainField } from '../../ui/FormFields';
import { Listing } from '../../ui/Listing';
import { PageHead } from '../../ui/Page';
import { SecretDialog } from '../../ui/SecretDialog';
import { PageTabs } from '../../ui/Tabs';
import { Empty } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { ScopeField } from '../members/InviteDialog';
import { ServiceAccountsTable } from './ServiceAccountsTable';
import { TokenDialog } from './TokenDialog';
import { TokensTable } from './TokensTable';

export function ServiceAccountsPage() {
  const { account } = useParams({ from: '/accounts/$account/service-accounts' });
  const { tab } = useSearch({ from: '/accounts/$account/service-accounts' });
  const { org } = useHere();
  const navigate = useNavigate();
  const accounts = useServiceAccounts(org.id);
  const mine = useMyTokens(tab === 'personal');
  const all = useOrgTokens(org.id, tab === 'tokens');
  const [creating, setCreating] = useState(false);
  const [tokenFor, setTokenFor] = useState<ServiceAccount | 'me' | null>(null);
  const [made, setMade] = useState<ApiTokenResult | null>(null);
  const no = useDenied('service_accounts:write');
  const create =
    tab === 'personal' ? (
      <Button look="primary" onClick={() => setTokenFor('me')}>
        <IconPlus size={15} stroke={1.8} aria-hidden="true" />
        Create personal token
      </Button>
    ) : (
      <Button look="primary" blocked={no} onClick={() => setCreating(true)}>
        <IconPlus size={15} stroke={1.8} aria-hidden="true" />
        Create service account
      </Button>
    );

  return (
    <>
      <PageHead
        tab="Service accounts"
        title="Service accounts and tokens"
        facts={
          <>
            <span>How pipelines and Terraform call the API of {org.name}. Clients of the broker use credentials instead.</span>
            {accounts.data ? <span>{plural(accounts.data.length, 'service account')}</span> : null}
          </>
        }
        actions={create}
      />
      <PageTabs
        label="Service accounts and tokens"
        tabs={{ 'Service accounts': undefined, 'My tokens': 'personal', 'All tokens': 'tokens' }}
        chosen={tab}
        counts={{ 'Service accounts': accounts.data?.length }}
        onChoose={(value) => void navigate({ to: '/accounts/$account/service-accounts', params: { account }, search: value ? { tab: value as 'personal' | 'tokens' } : {}, replace: true })}
      >
        {(name) =>
          name === 'Service accounts' ? (
            <Listing
              query={accounts}
              what="service accounts"
              columns={['Name', 'State', 'Tokens']}
              empty={
                <Empty title="No service account yet">
                  <p className="ink2">A pipeline calls the API as a service account: it has roles of its own and survives the person who made it.</p>
                  {create}
                </Empty>
              }
            >
              {(rows) => <ServiceAccountsTable rows={rows} blocked={no} onToken={setTokenFor} onRotated={setMade} />}
            </Listing>
          ) : name === 'My tokens' ? (
            <Listing
              query={mine}
              what="your tokens"
              columns={['Token', 'State', 'Ends']}
              empty={
                <Empty title="You have no personal token" drawing={false}>
                  <p className="ink2">A token for trying the API from a terminal. It ends with your membership.</p>
                  {create}
                </Empty>
              }
            >
              {(rows) => <TokensTable tokens={rows} caption="Your personal tokens" blocked={null} onRotated={setMade} />}
            </Listing>
          ) : (
            <Listing query={all} what="tokens" columns={['Token', 'State', 'Ends']} empty={<Empty title="No token yet" drawing={false}><p className="ink2">Tokens of service accounts and of people are listed here, without their secrets.</p></Empty>}>
              {(rows) => <TokensTable tokens={rows} caption={`Tokens in ${org.name}`} withOwner blocked={no} onRotated={setMade} />}
            </Listing>
          )
        }
      </PageTabs>
      {creating ? <CreateDialog taken={(accounts.data ?? []).map((entry) => entry.name)} onClose={() => setCreating(false)} /> : null}
      {tokenFor ? (
        <TokenDialog
          owner={tokenFor === 'me' ? null : tokenFor}
          taken={tokenFor === 'me' ? (mine.data ?? []).map((token) => token.name) : []}
          onClose={() => setTokenFor(null)}
          onMade={(result) => {
            setTokenFor(null);
            setMade(result);
          }}
        />
      ) : null}
      {made?.secret ? (
        <SecretDialog
          title={
            <>
              Token <span className="mono break">{made.token.name}</span> is ready
            </>
          }
          what="token"
          secret={made.secret}
          commands={['read -rs PENSTOCK_TOKEN && export PENSTOCK_TOKEN', `curl -H "Authorization: Bearer $PENSTOCK_TOKEN" ${window.location.origin}/v1/principal`]}
          onDone={() => setMade(null)}
        />
      ) : null}
    </>
  );
}

function CreateDialog({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const { org } = useHere();
  const refresh = useRefresh();
  const call = useCall();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [project, setProject] = useState('');
  const wrong = slugProblem(name) ?? (taken.includes(name) ? `${name} exists already.` : null);
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Create service account"
      lead="It has no right until it gets a role, and cannot call until it gets a token."
      act="Create service account"
      blocked={wrong}
      call={call}
      onSubmit={async () => {
        const body = { name, ...(description ? { description } : {}), ...(project ? { project_id: project } : {}) };
        const done = await call.run(async (key) => {
          await api.POST('/v1/orgs/{org}/service-accounts', { params: { path: { org: org.id }, header: { 'Idempotency-Key': key } }, body });
          await refresh('service-accounts');
        }, body);
        if (!done) return;
        noteDone(`Service account ${name} created. Give it a role and a token.`);
        onClose();
      }}
    >
      <PlainField label="Name" mono value={name} onChange={setName} error={call.error?.fieldReasons.name ?? (name ? wrong : null)} placeholder="ci" autoFocus />
      <PlainField label="Description" optional value={description} onChange={setDescription} />
      <ScopeField value={project} onChange={setProject} help="Confined to a project, it can get roles in that project only. Fixed later." />
    </FormDialog>
  );
}
