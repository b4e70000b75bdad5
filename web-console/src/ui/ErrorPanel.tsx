import { IconRefresh } from '@tabler/icons-react';
import type { ApiError } from '../api/error';
import { dateTime } from '../lib/format';
import { usePrefs } from '../lib/prefs';
import { Button } from './Button';
import { CopyButton } from './Copy';
import { StateMark } from './StateMark';

/** Code, request and time, with one button that copies them. */
export function ErrorFacts({ error }: { error: ApiError }) {
  const { zone } = usePrefs();
  return (
    <dl className="pairs">
      <dt>Code</dt>
      <dd className="mono">{error.code}</dd>
      <dt>Request</dt>
      <dd className="line wrap">
        <span className="mono">{error.requestId ?? 'no answer, no id'}</span>
        <CopyButton text={error.forSupport} what="the error for support">
          Copy for support
        </CopyButton>
      </dd>
      <dt>Time</dt>
      <dd>{dateTime(error.at.toISOString(), zone)}</dd>
    </dl>
  );
}

interface Props {
  /** What failed, as a sentence: "Streams could not be read". */
  what: string;
  error: ApiError;
  /** What is not affected. */
  safe?: string;
  onRetry?: () => void;
  /** It stands in place of the whole page: what failed is the heading of it. */
  page?: boolean | undefined;
}

/** An error in the place where the content would be. */
export function ErrorPanel({ what, error, safe, onRetry, page }: Props) {
  if (error.status === 403) return <NoPermission what={what} error={error} page={page} />;
  return (
    <div className="placard" role="alert">
      <Title page={page}>
        <StateMark state="fault" size={18} className="bold">
          {what}
        </StateMark>
      </Title>
      <p className="ink2">
        {error.message} {safe}
      </p>
      {onRetry ? (
        <>
          <p>
            {error.retryable
              ? 'Try again. If it fails twice, send the lines below to support.'
              : 'The same request will be answered the same way until its cause is mended.'}
          </p>
          <Button look="primary" onClick={onRetry}>
            <IconRefresh size={15} stroke={1.6} aria-hidden="true" />
            Try again
          </Button>
        </>
      ) : null}
      <ErrorFacts error={error} />
    </div>
  );
}

function Title({ page, children }: { page: boolean | undefined; children: React.ReactNode }) {
  return page ? <h1 className="as-text">{children}</h1> : children;
}

function NoPermission({ what, error, page }: { what: string; error: ApiError; page: boolean | undefined }) {
  return (
    <div className="placard">
      <Title page={page}>
        <StateMark state="held" size={18} className="bold">
          {what}: your role does not include it
        </StateMark>
      </Title>
      <p className="ink2">{error.message}</p>
      <p className="small ink3">You stay on this page and it opens by itself once the permission is granted.</p>
      <ErrorFacts error={error} />
    </div>
  );
}

/** A failed action, beside the button that was pressed. */
export function ErrorLine({ error }: { error: ApiError }) {
  return (
    <div className="stack" role="alert">
      <span className="error-line">
        <StateMark state="fault" size={14} hidden="Error" />
        <span>{error.message}</span>
      </span>
      <ErrorFacts error={error} />
    </div>
  );
}
