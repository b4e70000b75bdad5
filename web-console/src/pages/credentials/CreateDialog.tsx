import { useState } from 'react';
import { api, body, newIdempotencyKey } from '../../api/client';
import { type ApiError, asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import type { CredentialResult, SigningKeyGroup, User } from '../../api/types';
import { type FormUnit, formToMs, toDuration } from '../../lib/duration';
import { looksLikeSeed, userKeyProblem } from '../../lib/nkey';
import { Button } from '../../ui/Button';
import { Command } from '../../ui/Copy';
import { Dialog } from '../../ui/Dialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Choice, Field } from '../../ui/Field';

/** What the caller gets once, and keeps in memory only while its dialog is open. */
export interface Issued {
  user: User;
  issuance: CredentialResult['issuance'];
  jwt: string | null;
  creds: string | null;
}

interface Props {
  opened: boolean;
  onClose: () => void;
  account: string;
  groups: readonly SigningKeyGroup[];
  /** Issue to this user instead of making a new one. */
  forUser?: User | null | undefined;
  takenNames: readonly string[];
  onIssued: (issued: Issued) => void;
}

const DAYS = '90';

function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name.trim() === '') return 'A name is needed: it tells later which client this is.';
  if (name.trim().length > 120) return 'A name has 120 characters at most.';
  if (taken.includes(name.trim())) return `${name.trim()} exists already. Issue to it from its row, or choose another name.`;
  return null;
}

export function CreateDialog({ opened, onClose, account, groups, forUser, takenNames, onIssued }: Props) {
  const refresh = useRefresh();
  const [name, setName] = useState('');
  const [group, setGroup] = useState('');
  const [kind, setKind] = useState<'generated' | 'own'>('generated');
  const [publicKey, setPublicKey] = useState('');
  const [ttl, setTtl] = useState(DAYS);
  const [unit, setUnit] = useState<FormUnit>('days');
  const [touched, setTouched] = useState({ name: false, key: false });
  const [seedRefused, setSeedRefused] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  // Kept only when the answer got lost: pressing again then cannot issue two credentials.
  const [unanswered, setUnanswered] = useState<{ content: string; key: string } | null>(null);

  const wrongName = forUser ? null : nameProblem(name, takenNames);
  const wrongKey = kind === 'own' ? userKeyProblem(publicKey) : null;
  const lifetime = Number(ttl);
  const wrongTtl = !Number.isFinite(lifetime) || lifetime <= 0 ? `${ttl || 'Nothing'} is not a lifetime.` : formToMs(lifetime, unit) > formToMs(365, 'days') ? 'A credential ends after 365 days at most.' : formToMs(lifetime, unit) < 60_000 ? 'A credential lives for a minute at least.' : null;
  const wrong = wrongName ?? wrongKey ?? wrongTtl;

  const close = () => {
    setName('');
    setPublicKey('');
    setTouched({ name: false, key: false });
    setSeedRefused(false);
    setFailure(null);
    setKind('generated');
    onClose();
  };

  const create = async () => {
    setTouched({ name: true, key: true });
    if (wrong || busy) return;
    setBusy(true);
    setFailure(null);
    const request = {
      ttl: toDuration(formToMs(lifetime, unit)),
      ...(kind === 'own' ? { public_key: publicKey.trim() } : {}),
    };
    const content = JSON.stringify([forUser?.id ?? name, group, request]);
    const key = unanswered?.content === content ? unanswered.key : newIdempotencyKey();
    const header = { 'Idempotency-Key': key };
    try {
      if (forUser) {
        const result = body(await api.POST('/v1/users/{user}/actions/issue', { params: { path: { user: forUser.id }, header }, body: request }));
        onIssued({ user: forUser, issuance: result.issuance, jwt: result.jwt, creds: result.creds });
      } else {
        const result = body(
          await api.POST('/v1/accounts/{account}/credentials', {
            params: { path: { account }, header },
            body: { name: name.trim(), ...(group ? { signing_key_group_id: group } : {}), ...request },
          }),
        );
        onIssued({ user: result.user, issuance: result.issuance, jwt: result.jwt, creds: result.creds });
      }
      setUnanswered(null);
      close();
      await refresh('users', 'issuances', 'user-issuances', 'onboarding');
    } catch (error) {
      const failed = asApiError(error);
      setFailure(failed);
      setUnanswered(failed.isOffline ? { content, key } : null);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={
        forUser ? (
          <>
            Issue another credential to <span className="mono">{forUser.name}</span>
          </>
        ) : (
          'Create credential'
        )
      }
      lead={forUser ? 'Those issued before stay valid until they end or are revoked.' : 'A user with a key of its own. Give each client its own, so that one can be revoked without the others.'}
      foot={
        <>
          <Button look="primary" blocked={busy ? 'The credential is being issued.' : null} onClick={create}>
            {busy ? 'Creating credential' : 'Create credential'}
          </Button>
          <Button look="ghost" onClick={close}>
            Cancel
          </Button>
        </>
      }
    >
      <form
        className="stack"
        style={{ gap: 14 }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {forUser ? null : (
          <Field label="Name" error={touched.name ? wrongName : null} help="Clients do not see it; connections and the audit log show it.">
            {(id, described) => (
              <span className={touched.name && wrongName ? 'input mono wrong' : 'input mono'}>
                <input
                  id={id}
                  data-autofocus
                  value={name}
                  placeholder="first-app"
                  autoComplete="off"
                  spellCheck={false}
                  aria-describedby={described}
                  onChange={(event) => setName(event.target.value)}
                  onBlur={() => setTouched((before) => ({ ...before, name: name !== '' }))}
                />
              </span>
            )}
          </Field>
        )}
        {!forUser && groups.length > 1 ? (
          <Field label="Signing-key group" help="What the group may do, the user may do.">
            {(id, described) => (
              <span className="input mono">
                <select id={id} value={group} aria-describedby={described} onChange={(event) => setGroup(event.target.value)}>
                  <option value="">default</option>
                  {groups
                    .filter((entry) => entry.name !== 'default')
                    .map((entry) => (
                      <option key={entry.id} value={entry.id}>
                        {entry.name}
                      </option>
                    ))}
                </select>
              </span>
            )}
          </Field>
        ) : null}
        <Choice
          label="Key"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'generated', label: 'Make one, show it once' },
            { value: 'own', label: 'I have a key: give me the JWT' },
          ]}
          help={kind === 'generated' ? 'You download a .creds file. The seed in it is not kept here.' : 'Your seed never leaves your machine. You get a JWT for its public key.'}
        />
        {kind === 'own' ? (
          <>
            <Field
              label="Public user nkey"
              error={seedRefused ? 'That was a seed, so it was not taken. Paste the public key, which starts with U.' : touched.key ? wrongKey : null}
              good={publicKey && !wrongKey ? 'A public user key' : null}
            >
              {(id, described) => (
                <span className={touched.key && wrongKey ? 'input mono wrong' : 'input mono'}>
                  <input
                    id={id}
                    value={publicKey}
                    placeholder="U…"
                    autoComplete="off"
                    spellCheck={false}
                    aria-describedby={described}
                    onChange={(event) => {
                      // A seed does not stay in the field, nor anywhere else.
                      const seed = looksLikeSeed(event.target.value) && event.target.value.trim().length > 20;
                      setSeedRefused(seed);
                      setPublicKey(seed ? '' : event.target.value);
                    }}
                    onBlur={() => setTouched((before) => ({ ...before, key: publicKey !== '' }))}
                  />
                </span>
              )}
            </Field>
            <div>
              <div className="label" style={{ marginBottom: 4 }}>
                Make a key pair; the public key is printed, the seed goes to the file
              </div>
              <Command>nats auth nkey gen user --output user.nk && nats auth nkey show user.nk</Command>
            </div>
          </>
        ) : null}
        <Field label="Ends after" error={wrongTtl} help="Default 90 days, a year at most. A client with an ended credential is disconnected.">
          {(id, described) => (
            <span className={wrongTtl ? 'input wrong' : 'input'} style={{ maxWidth: 220 }}>
              <input id={id} inputMode="decimal" value={ttl} aria-describedby={described} onChange={(event) => setTtl(event.target.value)} />
              <select className="unit-select" aria-label="Unit of ends after" value={unit} onChange={(event) => setUnit(event.target.value as FormUnit)}>
                <option>minutes</option>
                <option>hours</option>
                <option>days</option>
              </select>
            </span>
          )}
        </Field>
      </form>
      {failure ? <ErrorLine error={failure} /> : null}
    </Dialog>
  );
}
