import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError, asApiError } from '../api/error';
import { useMe, useTree } from '../api/queries';
import { useContact } from '../api/query-client';
import { Button } from '../ui/Button';
import { ErrorPanel } from '../ui/ErrorPanel';
import { Brand } from '../ui/Page';
import { Loading, Note } from '../ui/states';
import { Palette } from './Palette';
import { Header } from './Header';
import { HereProvider } from './here';
import { Nav, NavDrawer } from './Nav';
import { goToLogin } from './session';
import { AccountState } from './AccountState';
import { Shortcuts } from './Shortcuts';

/** Nav, header and the page of one account; signs in first where there is no session. */
export function AppFrame() {
  const { account } = useParams({ from: '/accounts/$account' });
  const me = useMe();
  const tree = useTree();
  const contact = useContact();
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);

  const noSession = me.error instanceof ApiError && me.error.status === 401 && !me.data;
  useEffect(() => {
    if (noSession) goToLogin();
  }, [noSession]);

  const found = tree.data?.find((entry) => entry.account.id === account);
  const failure = me.error ?? tree.error;

  if (!me.data || !found) {
    return (
      <main className="boot">
        <div>
          <p className="brand" style={{ padding: 0 }}>
            <Brand />
          </p>
          {noSession ? (
            <p className="ink2">Going to the sign-in page.</p>
          ) : failure ? (
            <ErrorPanel
              page
              what="Your account could not be read"
              error={asApiError(failure)}
              safe="Clients of your account are not affected by this page."
              onRetry={() => {
                void me.refetch();
                void tree.refetch();
              }}
            />
          ) : tree.data && me.data ? (
            <div className="placard">
              <h1 className="h2">No such account</h1>
              <p className="ink2">
                There is no account <span className="mono break">{account}</span> that you can see. It may belong to another
                organisation or be deleted.
              </p>
              <a className="btn primary" href="/">
                Go to your account
              </a>
            </div>
          ) : (
            <Loading what="your account" rows={3} />
          )}
        </div>
      </main>
    );
  }

  return (
    <HereProvider value={{ me: me.data, ...found }}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <div className="app">
        <Nav />
        <div className="main-column">
          <Header onPalette={() => setPalette(true)} onDrawer={() => setDrawer(true)} />
          <main className="page" id="main" tabIndex={-1} style={{ outline: 0 }}>
            {contact.signedOut ? (
              <Note
                tone="watch"
                role="alert"
                title="Your session has ended."
                actions={
                  <Button size="compact" onClick={goToLogin}>
                    Sign in
                  </Button>
                }
              >
                What you see is from before. Sign in to go on from this page.
              </Note>
            ) : null}
            <AccountState />
            <Outlet />
          </main>
        </div>
      </div>
      <NavDrawer opened={drawer} onClose={() => setDrawer(false)} />
      <Palette opened={palette} onClose={() => setPalette(false)} />
      <Shortcuts onPalette={() => setPalette(true)} />
    </HereProvider>
  );
}
