import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { Account } from '../../api/types';
import { subjectProblem } from '../../lib/subject';
import { useCall } from '../../lib/use-call';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Section } from '../../ui/Page';
import { SubjectList } from '../../ui/SubjectChip';
import { noteDone } from '../../ui/done-notes';
import { SubjectInput } from '../streams/SubjectInput';

const FIELDS = [
  ['publish', 'allow', 'May publish'],
  ['publish', 'deny', 'May not publish'],
  ['subscribe', 'allow', 'May subscribe'],
  ['subscribe', 'deny', 'May not subscribe'],
] as const;

type Key = `${'publish' | 'subscribe'}.${'allow' | 'deny'}`;

function listsOf(account: Account): Record<Key, string[]> {
  const of = (side: 'publish' | 'subscribe', kind: 'allow' | 'deny') => [...(account.default_permissions?.[side]?.[kind] ?? [])];
  return { 'publish.allow': of('publish', 'allow'), 'publish.deny': of('publish', 'deny'), 'subscribe.allow': of('subscribe', 'allow'), 'subscribe.deny': of('subscribe', 'deny') };
}

/** What users may do whose signing-key group says nothing. */
export function DefaultPermissions({ account, blocked }: { account: Account; blocked: string | null }) {
  const [editing, setEditing] = useState(false);
  const lists = listsOf(account);
  return (
    <Section
      title="Default permissions"
      aside="of users whose signing-key group says nothing"
      end={
        <Button size="compact" blocked={blocked} onClick={() => setEditing(true)}>
          Change permissions
        </Button>
      }
    >
      <dl className="pairs">
        {FIELDS.map(([side, kind, label]) => {
          const list = lists[`${side}.${kind}`];
          return (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{list.length ? <SubjectList subjects={list} most={6} /> : kind === 'allow' ? 'every subject of the account' : 'nothing'}</dd>
            </div>
          );
        })}
      </dl>
      {editing ? <EditDialog account={account} onClose={() => setEditing(false)} /> : null}
    </Section>
  );
}

function EditDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const refresh = useRefresh();
  const call = useCall();
  const [lists, setLists] = useState(listsOf(account));
  const problems = Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, list.map(subjectProblem).find((problem) => problem !== null)]));
  const wrong = Object.values(problems).some(Boolean);
  const same = JSON.stringify(lists) === JSON.stringify(listsOf(account));
  const side = (name: 'publish' | 'subscribe') => ({ allow: lists[`${name}.allow`], deny: lists[`${name}.deny`] });
  const none = Object.values(lists).every((list) => list.length === 0);
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Change default permissions"
      lead="Users whose group has a template of its own are not affected. Others are disconnected and come back with the new rights."
      act="Change permissions"
      blocked={wrong ? 'A subject needs mending.' : same ? 'Nothing is changed yet.' : null}
      call={call}
      onSubmit={async () => {
        const responses = account.default_permissions?.responses;
        const body = { default_permissions: none && !responses ? null : { publish: side('publish'), subscribe: side('subscribe'), ...(responses ? { responses } : {}) } };
        const done = await call.run(async () => {
          await api.PATCH('/v1/accounts/{account}', { params: { path: { account: account.id }, header: { 'If-Match': account.etag } }, body, headers: { 'Content-Type': 'application/merge-patch+json' } });
          await refresh('account');
        }, body);
        if (!done) return;
        noteDone('Default permissions changed.');
        onClose();
      }}
    >
      {FIELDS.map(([name, kind, label]) => {
        const key: Key = `${name}.${kind}`;
        return (
          <Field key={key} label={label} optional error={problems[key]} help={kind === 'allow' ? 'Empty allows everything that is not denied.' : undefined}>
            {(id, described) => <SubjectInput id={id} describedBy={described} subjects={lists[key]} wrong={Boolean(problems[key])} onChange={(list) => setLists((before) => ({ ...before, [key]: list }))} />}
          </Field>
        );
      })}
    </FormDialog>
  );
}
