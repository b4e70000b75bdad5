import { Link } from '@tanstack/react-router';
import { AuthFrame } from '../ui/AuthFrame';

export function SignedOutPage() {
  return (
    <AuthFrame tab="Signed out" gateOpen={false}>
      <h1>You are signed out</h1>
      <p className="lead">Clients of your account stay connected: they use their own credentials.</p>
      <div className="stack">
        <a className="btn primary large" href="/auth/login?redirect=%2F">
          Sign in
        </a>
        <p className="small ink2">
          No account yet? <Link to="/signup">Sign up</Link>
        </p>
      </div>
    </AuthFrame>
  );
}
