import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useAccount, useRefresh } from '../../api/queries';
import type { Account } from '../../api/types';
import { useDenied } from '../../frame/permissions';
import { useHere } from '../../frame/here';
import { dateTime } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { slugProblem } from '../../lib/roles';
import { useCall } from '../../lib/use-call';
import { Button } from '../../ui/Button';
import { Copyable } from '../../ui/Copyable';
import { FormDialog } from '../../ui/FormDialog';
import { CheckField, PlainField } from '../../ui/FormFields';
import { Listing } from '../../ui/Listing';
import { PageHead, Section } from '../../ui/Page';
import { CopyTerraform } from '../../ui/Terraform';
import { noteDone } from '../../ui/done-notes';
import { DangerZone } from './DangerZone';
import { DefaultPermissions } from './DefaultPermissions';
import { DeletedSection, OperationsSection } from './DeletedSection';
import { LimitsSection } from './LimitsSection';
import { MappingsSection } from './MappingsSection';
import { WholeAccount } from './WholeAccount';

export function SettingsPage() {
  const { account: id } = useParams({ from: '/accounts/$account/settings' });
  const query = useAccount(id);
  const no = useDenied('accounts:write');
  const { project } = useHere();
  return (
    <Listing page query={query} what="the account" columns={['Setting', 'Value']}>
      {(account) => (
        <>
          <PageHead
            tab="Settings"
            title={
              <>
                <span>Settings of <span className="mono">{account.name}</span></span>
              </>
            }
            facts={<span>In project {project.name}. Changes reach the broker within seconds; clients stay connected unless said otherwise.</span>}
            actions={
              <>
                <CopyTerraform kind="project" object={project} what={`project ${project.name}`} label="Project as Terraform" />
                <CopyTerraform kind="account" object={account} what={`account ${account.name}`} label="Account as Terraform" />
                <WholeAccount account={account} project={project} />
              </>
            }
          />
          <General account={account} blocked={no} />
          <LimitsSection account={account} blocked={no} />
          <DefaultPermissions account={account} blocked={no} />
          <MappingsSection account={account} blocked={no} />
          <DeletedSection account={account} />
          <OperationsSection account={account} />
          <DangerZone account={account} blocked={no} />
        </>
      )}
    </Listing>
  );
}

function General({ account, blocked }: { account: Account; blocked: string | null }) {
  const { zone } = usePrefs();
  const refresh = useRefresh();
  const call = useCall();
  const [renaming, setRenaming] = useState(false);
  const [name, setName] = useState(account.name);
  const wrong = slugProblem(name);
  const patch = (body: { name?: string; deletion_protection?: boolean }) =>
    call.run(async () => {
      await api.PATCH('/v1/accounts/{account}', {
        params: { path: { account: account.id }, header: { 'If-Match': account.etag } },
        body,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      await refresh('account', 'tree');
    }, body);
  return (
    <Section first title="General">
      <dl className="pairs" style={{ marginBottom: 14 }}>
        <dt>Name</dt>
        <dd className="line wrap">
          <span className="mono">{account.name}</span>
          <Button
            size="compact"
            blocked={blocked}
            onClick={() => {
              setName(account.name);
              setRenaming(true);
            }}
          >
            Rename
          </Button>
        </dd>
        <dt>Id</dt>
        <dd>
          <Copyable text={account.id} what="account id" />
        </dd>
        <dt>Public key</dt>
        <dd>{account.public_key ? <Copyable text={account.public_key} what="public key" /> : "not made yet"}</dd>
        <dt>Created</dt>
        <dd>{dateTime(account.created_at, zone)}</dd>
      </dl>
      <CheckField
        checked={account.deletion_protection}
        onChange={(on) => void patch({ deletion_protection: on }).then((done) => (done ? noteDone(on ? 'The account is protected from deletion.' : 'The protection is off.') : undefined))}
        text="Protect from deletion"
        help="While it is on, deleting the account is refused, by Terraform too."
        fixed={blocked ?? undefined}
      />
      {call.error && !renaming ? <p className="error-line">{call.error.message}</p> : null}
      {renaming ? (
        <FormDialog
          opened
          onClose={() => setRenaming(false)}
          title="Rename account"
          lead="Clients do not see the name: they are not affected."
          act="Rename account"
          blocked={wrong ?? (name === account.name ? 'The name is as it was.' : null)}
          call={call}
          onSubmit={async () => {
            if (!(await patch({ name }))) return;
            noteDone(`The account is ${name} now.`);
            setRenaming(false);
          }}
        >
          <PlainField label="Name" mono value={name} onChange={setName} error={call.error?.fieldReasons.name ?? (name ? wrong : null)} autoFocus />
        </FormDialog>
      ) : null}
    </Section>
  );
}
