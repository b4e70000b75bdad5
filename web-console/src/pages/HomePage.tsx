import { useQuery } from '../api/use-query';
import { Navigate } from '@tanstack/react-router';
import { ApiError, asApiError } from '../api/error';
import { meQuery, useOnboarding } from '../api/queries';
import type { Bootstrap } from '../api/types';
import { nextStep } from '../lib/onboarding';
import { ErrorPanel } from '../ui/ErrorPanel';
import { Brand } from '../ui/Page';
import { StateMark, type State } from '../ui/StateMark';
import { Loading } from '../ui/states';

const STEP_WORDS: Record<string, string> = {
  organization: 'Organisation',
  project: 'Project',
  account: 'Account with its own keys',
  signing_key_group: 'Signing-key group',
  broker_sync: 'Account known to the broker',
};

const STEP_STATE: Record<string, [State, string]> = {
  pending: ['stale', 'waits'],
  running: ['work', 'under way'],
  succeeded: ['steady', 'done'],
  failed: ['fault', 'failed, tried again by itself'],
};

/** The first sign-in sets the account up; this page says how far it is and goes on by itself. */
function SettingUp({ bootstrap }: { bootstrap: Bootstrap }) {
  return (
    <>
      <h1 className="h2">Setting up your account</h1>
      <p className="ink2" style={{ margin: '4px 0 12px' }}>
        This takes a few seconds, once. The page goes on by itself.
      </p>
      <table aria-live="polite">
        <caption className="vh">Steps</caption>
        <tbody>
          {bootstrap.steps.map((step) => {
            const [state, word] = STEP_STATE[step.state] ?? ['stale', step.state];
            return (
              <tr key={step.name}>
                <td>{STEP_WORDS[step.name] ?? step.name}</td>
                <td className="num">
                  <StateMark state={state}>
                    {word}
                    {step.error ? <span className="mono"> {step.error}</span> : null}
                  </StateMark>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function ToAccount({ account }: { account: string }) {
  const onboarding = useOnboarding(account, false);
  if (onboarding.isPending) return <Loading what="your account" rows={3} />;
  const fresh = onboarding.data && !onboarding.data.dismissed && nextStep(onboarding.data) !== null;
  return <Navigate to={fresh ? '/accounts/$account/get-started' : '/accounts/$account'} params={{ account }} replace />;
}

export function HomePage() {
  const me = useQuery({
    ...meQuery,
    staleTime: 0,
    refetchInterval: (query) => (query.state.data && query.state.data.onboarding.bootstrap.state !== 'ready' ? 1_000 : false),
  });
  if (me.error instanceof ApiError && me.error.status === 401) return <Navigate to="/signup" replace />;
  const bootstrap = me.data?.onboarding.bootstrap;
  return (
    <main className="boot">
      <div>
        <p className="brand" style={{ padding: 0 }}>
          <Brand />
        </p>
        {bootstrap ? (
          bootstrap.state === 'ready' && bootstrap.account_id ? (
            <ToAccount account={bootstrap.account_id} />
          ) : (
            <SettingUp bootstrap={bootstrap} />
          )
        ) : me.error ? (
          <ErrorPanel what="Your account could not be read" error={asApiError(me.error)} onRetry={() => void me.refetch()} />
        ) : (
          <Loading what="your account" rows={3} />
        )}
      </div>
    </main>
  );
}
