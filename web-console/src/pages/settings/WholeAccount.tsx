import { useState } from 'react';
import { api, body } from '../../api/client';
import { asApiError } from '../../api/error';
import type { Account, Project } from '../../api/types';
import { type Item, renderAll } from '../../terraform/render';
import { Button } from '../../ui/Button';
import { Code } from '../../ui/Code';
import { CopyButton } from '../../ui/Copy';
import { Dialog } from '../../ui/Dialog';
import { ErrorLine } from '../../ui/ErrorPanel';

const ALL = { 'page[size]': 500 } as const;

/** Everything of an account that Terraform can hold, in the order of its dependence. Entries and issued credentials are not. */
async function gather(account: Account, project: Project): Promise<Item[]> {
  const path = { account: account.id };
  const params = { path, query: ALL };
  const [groups, users, streams, kv, objects, exports, imports, revocations] = await Promise.all([
    api.GET('/v1/accounts/{account}/signing-key-groups', { params }).then((answer) => body(answer).data),
    api.GET('/v1/accounts/{account}/users', { params }).then((answer) => body(answer).data),
    api.GET('/v1/accounts/{account}/streams', { params }).then((answer) => body(answer).data),
    api.GET('/v1/accounts/{account}/kv', { params }).then((answer) => body(answer).data),
    api.GET('/v1/accounts/{account}/objects', { params }).then((answer) => body(answer).data),
    api.GET('/v1/accounts/{account}/exports', { params }).then((answer) => body(answer).data),
    api.GET('/v1/accounts/{account}/imports', { params }).then((answer) => body(answer).data),
    api.GET('/v1/accounts/{account}/revocations', { params }).then((answer) => body(answer).data),
  ]);
  const buckets = new Set([...kv, ...objects].map((bucket) => bucket.stream_name));
  const own = streams.filter((stream) => !buckets.has(stream.name));
  const items: Item[] = [
    { kind: 'project', object: project },
    { kind: 'account', object: account },
  ];
  for (const object of groups) items.push({ kind: 'signing_key_group', object });
  for (const object of users.filter((user) => user.state !== 'revoked')) items.push({ kind: 'user', object });
  for (const stream of own) {
    items.push({ kind: 'stream', object: stream });
    const consumers = body(await api.GET('/v1/accounts/{account}/streams/{stream}/consumers', { params: { path: { ...path, stream: stream.name }, query: ALL } })).data;
    for (const object of consumers.filter((consumer) => consumer.durable_name)) items.push({ kind: 'consumer', object });
  }
  for (const object of kv) items.push({ kind: 'kv_bucket', object });
  for (const object of objects) items.push({ kind: 'object_bucket', object });
  for (const entry of exports) {
    items.push({ kind: 'export', object: entry });
    const shares = body(await api.GET('/v1/exports/{export}/shares', { params: { path: { export: entry.id }, query: ALL } })).data;
    for (const object of shares.filter((share) => share.state !== 'revoked')) items.push({ kind: 'share', object });
  }
  for (const object of imports) items.push({ kind: 'import', object });
  for (const object of revocations) items.push({ kind: 'user_revocation', object });
  return items;
}

/** The whole account as one configuration with its imports. */
export function WholeAccount({ account, project }: { account: Account; project: Project }) {
  const [text, setText] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const open = async () => {
    setBusy(true);
    setError(null);
    try {
      const made = renderAll(await gather(account, project));
      setText([...made.map((one) => one.resource), ...made.map((one) => one.importBlock)].join('\n'));
    } catch (failure) {
      setError(failure);
      setText('');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button className="copy-as" blocked={busy ? 'The account is being read.' : null} onClick={() => void open()}>
        {busy ? 'Reading the account' : 'All of it as Terraform'}
      </Button>
      {text !== null ? (
        <Dialog
          opened
          onClose={() => setText(null)}
          title={
            <>
              Terraform for all of <span className="mono">{account.name}</span>
            </>
          }
          lead="Project, account, groups, users, streams, consumers, buckets and sharing, with the blocks that import them. Credentials are not in it: they are secrets."
          foot={
            text ? (
              <CopyButton text={text} what="Terraform">
                Copy
              </CopyButton>
            ) : null
          }
        >
          {error ? <ErrorLine error={asApiError(error)} /> : <Code text={text} language="hcl" label={`Terraform for ${account.name}`} />}
        </Dialog>
      ) : null}
    </>
  );
}
