import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, body } from '../api/client';
import { type ApiError, asApiError } from '../api/error';
import { sameOriginPath } from '../frame/session';
import { passwordProblem } from '../lib/password';
import { AuthFrame } from '../ui/AuthFrame';
import { Button } from '../ui/Button';
import { ErrorLine } from '../ui/ErrorPanel';
import { Field } from '../ui/Field';
import { PasswordField } from '../ui/PasswordField';

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const complete = /^[^\s@]+@[^\s@]+$/.test(email.trim());
  const send = async () => {
    setBusy(true);
    setFailure(null);
    try {
      setSent(body(await api.POST('/v1/password-reset', { body: { email: email.trim() } })).email);
    } catch (error) {
      setFailure(asApiError(error));
    } finally {
      setBusy(false);
    }
  };
  if (sent) {
    return (
      <AuthFrame tab="Forgot password" gateOpen={false}>
        <h1>Look into your mail</h1>
        <p className="lead">
          If <b className="break">{sent}</b> has an account, a link is on its way. It works once, for an hour. A mail goes out once a minute and
          five times a day at most.
        </p>
        <p className="small ink2">
          No account yet? <Link to="/signup">Sign up</Link>
        </p>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame tab="Forgot password" gateOpen={false}>
      <h1>A new password</h1>
      <p className="lead">We mail you a link. Your clients stay connected: they use their own credentials.</p>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (complete && !busy) void send();
        }}
      >
        <Field label="E-mail" error={failure?.fieldReasons.email}>
          {(id, described) => (
            <span className={failure?.fieldReasons.email ? 'input tall wrong' : 'input tall'}>
              <input
                id={id}
                type="email"
                autoComplete="email"
                aria-describedby={described}
                value={email}
                onChange={(event) => {
                  setEmail(event.target.value);
                  setFailure(null);
                }}
              />
            </span>
          )}
        </Field>
        <Button
          type="submit"
          look="primary"
          size="large"
          blocked={busy ? 'The mail is being sent.' : complete ? null : 'The address of your account is needed.'}
        >
          Send the link
        </Button>
        {failure && !failure.fieldReasons.email ? <ErrorLine error={failure} /> : null}
        <p className="small ink2">
          Remembered it? <a href="/auth/login?redirect=%2F">Sign in</a>
        </p>
      </form>
    </AuthFrame>
  );
}

/** The token is in the fragment, which the browser does not send; it leaves the address bar at once. */
export function ResetPasswordPage() {
  const hash = useLocation().hash;
  const navigate = useNavigate();
  const [token] = useState(() => new URLSearchParams(hash).get('token'));
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  useEffect(() => {
    if (hash) void navigate({ to: '/reset-password', hash: '', replace: true });
  }, [hash, navigate]);

  if (!token) {
    return (
      <AuthFrame tab="New password" gateOpen={false}>
        <h1>The link is not whole</h1>
        <p className="lead">Open the link of the mail again, or ask for a new one.</p>
        <Link className="btn primary large" to="/forgot-password">
          Ask for a link
        </Link>
      </AuthFrame>
    );
  }
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const done = body(await api.POST('/v1/password-reset/confirm', { body: { token, password } }));
      window.location.assign(sameOriginPath(done.login_url));
    } catch (error) {
      setFailure(asApiError(error));
      setBusy(false);
    }
  };
  return (
    <AuthFrame tab="New password" gateOpen={false}>
      <h1>Choose a new password</h1>
      <p className="lead">All your sessions end, on every device. You sign in with the new password on the next page.</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!passwordProblem(password) && !busy) void confirm();
        }}
      >
        <PasswordField
          label="New password"
          value={password}
          error={failure?.fieldReasons.password}
          onChange={(value) => {
            setPassword(value);
            setFailure(null);
          }}
        />
        <Button type="submit" look="primary" size="large" blocked={busy ? 'The password is being set.' : passwordProblem(password)}>
          {busy ? 'Setting' : 'Set the password'}
        </Button>
        {failure && !failure.fieldReasons.password ? (
          <>
            <ErrorLine error={failure} />
            <p className="small ink2">
              <Link to="/forgot-password">Ask for a new link</Link>
            </p>
          </>
        ) : null}
      </form>
    </AuthFrame>
  );
}
