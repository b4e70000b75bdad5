import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, body } from '../api/client';
import { type ApiError, asApiError } from '../api/error';
import { passwordProblem } from '../lib/password';
import type { Signup } from '../api/types';
import { sameOriginPath } from '../frame/session';
import { useNow } from '../lib/use-now';
import { AuthFrame } from '../ui/AuthFrame';
import { Button } from '../ui/Button';
import { ErrorLine } from '../ui/ErrorPanel';
import { Field } from '../ui/Field';
import { PasswordField } from '../ui/PasswordField';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Kept in the history entry, so that a reload keeps it and the URL does not show it. */
    signup?: Signup;
  }
}

const DIGITS = 6;

export function VerifyPage() {
  const { token } = useSearch({ from: '/verify' });
  const navigate = useNavigate();
  const signup = useLocation().state.signup;
  // The token leaves the address bar and the history at once and lives in this page only.
  const [linkToken] = useState(token);
  useEffect(() => {
    if (!token) return;
    void navigate({ to: '/verify', search: {}, replace: true });
  }, [token, navigate]);

  if (linkToken) return <ByLink token={linkToken} />;
  if (signup) return <ByCode signup={signup} />;
  return (
    <AuthFrame tab="Check your mail" gateOpen={false}>
      <h1>No sign-up on this device</h1>
      <p className="lead">Open the link of the mail, or sign up again with the same address: a new code is sent.</p>
      <Link className="btn primary large" to="/signup">
        Sign up
      </Link>
      <p className="small ink2" style={{ marginTop: 14 }}>
        Confirmed already? <a href="/auth/login?redirect=%2F">Sign in</a>
      </p>
    </AuthFrame>
  );
}

function goOn(loginUrl: string): void {
  window.location.assign(sameOriginPath(loginUrl));
}

/** Opening the link changes nothing: mail scanners open links, people press buttons. */
function ByLink({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      goOn(body(await api.POST('/v1/signup/verify-link', { body: { token, password } })).login_url);
    } catch (error) {
      setFailure(asApiError(error));
      setBusy(false);
    }
  };
  return (
    <AuthFrame tab="Confirm your address" gateOpen={false}>
      <h1>Confirm your address</h1>
      <p className="lead">Choose a password and the gate opens. You sign in with it on the next page.</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!passwordProblem(password) && !busy) void confirm();
        }}
      >
        <PasswordField
          value={password}
          error={failure?.fieldReasons.password}
          onChange={(value) => {
            setPassword(value);
            setFailure(null);
          }}
        />
        <Button type="submit" look="primary" size="large" blocked={busy ? 'Your address is being confirmed.' : passwordProblem(password)}>
          {busy ? 'Confirming' : 'Confirm my address'}
        </Button>
        {failure && !failure.fieldReasons.password ? (
          <>
            <ErrorLine error={failure} />
            <p className="small ink2">
              A link works once and for 24 h. <Link to="/signup">Sign up again</Link> for a new one, or{' '}
              <a href="/auth/login?redirect=%2F">sign in</a> if it has been used.
            </p>
          </>
        ) : null}
      </form>
    </AuthFrame>
  );
}

function ByCode({ signup }: { signup: Signup }) {
  const now = useNow();
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [sent, setSent] = useState<Signup>(signup);
  const [resent, setResent] = useState(false);
  const digits = code.replace(/\D/g, '').slice(0, DIGITS);
  const missing = DIGITS - digits.length;
  const wait = Math.ceil((Date.parse(sent.resend_after) - now) / 1000);

  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      goOn(
        body(await api.POST('/v1/signup/{signup}/verify', { params: { path: { signup: sent.signup_id } }, body: { code: digits, password } }))
          .login_url,
      );
    } catch (error) {
      setFailure(asApiError(error));
      setBusy(false);
    }
  };
  const resend = async () => {
    setFailure(null);
    try {
      setSent(body(await api.POST('/v1/signup/{signup}/resend', { params: { path: { signup: sent.signup_id } } })));
      setResent(true);
      setCode('');
    } catch (error) {
      setFailure(asApiError(error));
    }
  };

  const clock = `${Math.floor(Math.max(0, wait) / 60)}:${String(Math.max(0, wait) % 60).padStart(2, '0')}`;
  return (
    <AuthFrame tab="Check your mail" gateOpen={false}>
      <p className="label" style={{ marginBottom: 6 }}>
        Step 2 of 2
      </p>
      <h1>Check your mail</h1>
      <p className="lead">
        We sent a code and a link to <b className="break">{sent.email}</b>. The code works for 10 min, the link for 24 h on any device. With
        either you choose the password.
      </p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === 0 && !passwordProblem(password) && !busy) void confirm();
        }}
      >
        <Field label="Six-digit code" help="Paste works. Spaces do not matter.">
          {(id, described) => (
            <span className={failure && !failure.fieldReasons.password ? 'input mono code-input wrong' : 'input mono code-input'}>
              <input
                id={id}
                inputMode="numeric"
                autoComplete="one-time-code"
                aria-describedby={described}
                value={code}
                onChange={(event) => {
                  setCode(event.target.value);
                  setFailure(null);
                }}
              />
            </span>
          )}
        </Field>
        <PasswordField
          value={password}
          error={failure?.fieldReasons.password}
          onChange={(value) => {
            setPassword(value);
            setFailure(null);
          }}
        />
        <Button
          type="submit"
          look="primary"
          size="large"
          blocked={
            busy ? 'The code is being checked.' : missing > 0 ? `${missing} more ${missing === 1 ? 'digit' : 'digits'}` : passwordProblem(password)
          }
        >
          Confirm
        </Button>
        {failure && !failure.fieldReasons.password ? <ErrorLine error={failure} /> : null}
        <div className="line wrap small">
          <Button blocked={wait > 0 ? 'A code was sent a moment ago.' : null} onClick={resend}>
            {wait > 0 ? `Send again in ${clock}` : 'Send again'}
          </Button>
          <Link to="/signup" className="to-end">
            Use another address
          </Link>
        </div>
        <p className="small ink3" role="status">
          {resent ? 'A new code is on its way; the one before no longer works.' : ''}
        </p>
      </form>
    </AuthFrame>
  );
}
