import { useQueryClient } from '@tanstack/react-query';
import { useQuery } from '../api/use-query';
import { useEffect, useState } from 'react';
import { api, body } from '../api/client';
import { ApiError, asApiError } from '../api/error';
import { useMe } from '../api/queries';
import { dateTime } from '../lib/format';
import { usePrefs } from '../lib/prefs';
import { roleMeans } from '../lib/roles';
import { useCall } from '../lib/use-call';
import { AuthFrame } from '../ui/AuthFrame';
import { Button } from '../ui/Button';
import { ErrorLine, ErrorPanel } from '../ui/ErrorPanel';
import { Loading } from '../ui/states';

/** The link of an invitation. The token comes behind the #, which no server sees, and leaves the address at once. */
export function InvitationPage() {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  useEffect(() => {
    if (window.location.hash) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);
  const client = useQueryClient();
  const { zone } = usePrefs();
  const me = useMe();
  const call = useCall();
  const preview = useQuery({
    queryKey: ['invitation'],
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
    queryFn: async () => body(await api.POST('/v1/invitations/preview', { body: { token } })),
  });
  const signedOut = me.error instanceof ApiError && me.error.status === 401 && !me.data;

  // Signing in happens in another tab, so that the token stays in the memory of this one.
  useEffect(() => {
    const again = () => void me.refetch();
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [me]);

  const accept = async () => {
    const done = await call.run(async () => {
      await api.POST('/v1/invitations/accept', { body: { token } });
    });
    if (!done) return;
    await client.invalidateQueries();
    window.location.assign('/');
  };

  const other = me.data && preview.data && me.data.user.email.toLowerCase() !== preview.data.email.toLowerCase();
  return (
    <AuthFrame tab="Invitation" gateOpen={preview.data !== undefined}>
      {token === '' ? (
        <>
          <h1>This link is not whole</h1>
          <p className="ink2">Open the link from the mail again; it ends in a long word behind #token=.</p>
          <a className="btn primary large" href="/" style={{ marginTop: 14 }}>
            Go to your account
          </a>
        </>
      ) : preview.isPending ? (
        <Loading what="the invitation" rows={2} />
      ) : preview.error || !preview.data ? (
        <ErrorPanel page what="The invitation cannot be used" error={asApiError(preview.error)} safe="Ask for a new one: an invitation ends after 7 days, or when it is revoked." />
      ) : (
        <div className="stack">
          <h1>Join {preview.data.organization_name}</h1>
          <p className="ink2">
            {preview.data.invited_by} invites <b className="break">{preview.data.email}</b> as {preview.data.role}. {roleMeans(preview.data.role)}
          </p>
          <p className="small ink3">Good until {dateTime(preview.data.expires_at, zone)}.</p>
          {signedOut ? (
            <>
              <p>Sign in, or sign up, with that address first. It opens in another tab; come back here then.</p>
              <div className="line wrap">
                <a className="btn primary large" href="/auth/login?redirect=%2F" target="_blank" rel="noopener">
                  Sign in
                </a>
                <a className="btn large" href="/signup" target="_blank" rel="noopener">
                  Sign up
                </a>
              </div>
            </>
          ) : (
            <>
              {other ? <p className="error-line">You are signed in as {me.data?.user.email}. Only {preview.data.email} can accept: sign in with that address.</p> : null}
              <Button look="primary" size="large" blocked={call.busy ? 'The call is under way.' : me.isPending ? 'Your session is being read.' : other ? 'You are signed in with another address.' : null} onClick={() => void accept()}>
                Join {preview.data.organization_name}
              </Button>
            </>
          )}
          {call.error ? <ErrorLine error={call.error} /> : null}
        </div>
      )}
    </AuthFrame>
  );
}
