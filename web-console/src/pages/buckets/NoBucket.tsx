import { asApiError } from '../../api/error';
import { ButtonLink } from '../../ui/Button';
import { KINDS, type Kind } from './kinds';

/** Whether a bucket was asked for that is not there. */
export function isMissing(query: { data: unknown; error: unknown }): boolean {
  return query.data === undefined && Boolean(query.error) && asApiError(query.error).status === 404;
}

/** In place of the page of a bucket that is not there. */
export function NoBucket({ account, kind, name }: { account: string; kind: Kind; name: string }) {
  const spec = KINDS[kind];
  return (
    <div className="placard">
      <h1 className="h2">
        No {spec.noun} <span className="mono break">{name}</span> in this account
      </h1>
      <p className="ink2">It may have been deleted, or the name is written in another case: bucket names tell A from a. Deleted ones can be restored for some days, under Settings.</p>
      <ButtonLink look="primary" to={spec.list} params={{ account }}>
        All {spec.plural}
      </ButtonLink>
    </div>
  );
}
