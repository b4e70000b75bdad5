import type { ErrorComponentProps } from '@tanstack/react-router';
import { asApiError } from '../api/error';
import { ErrorPanel } from '../ui/ErrorPanel';
import { Brand } from '../ui/Page';

export function NotFound() {
  return (
    <main className="boot">
      <div className="placard">
        <p className="brand" style={{ padding: 0 }}>
          <Brand />
        </p>
        <h1 className="h2">No page at this address</h1>
        <p className="ink2">
          Nothing is at <span className="mono break">{window.location.pathname}</span>. The link may be old or cut off.
        </p>
        <a className="btn primary" href="/">
          Go to your account
        </a>
      </div>
    </main>
  );
}

/** A page that failed to load or to draw; most often a deploy replaced the files of an open tab. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return (
    <main className="boot">
      <div>
        <p className="brand" style={{ padding: 0 }}>
          <Brand />
        </p>
        <ErrorPanel
          what="This page could not be shown"
          error={asApiError(error)}
          safe="Nothing was changed. Loading the page again fetches the newest console."
          onRetry={() => {
            reset();
            window.location.reload();
          }}
        />
      </div>
    </main>
  );
}
