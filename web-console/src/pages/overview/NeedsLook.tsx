import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useUsers } from '../../api/queries';
import type { Account, Consumer, Stream } from '../../api/types';
import { type Look, needsLook } from '../../lib/needs-look';
import { useNow } from '../../lib/use-now';
import { Section } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';

const MOST = 8;

function Where({ account, look }: { account: string; look: Look }) {
  const { to } = look;
  if (to.page === 'stream') return <Link className="resource" to="/accounts/$account/streams/$stream" params={{ account, stream: to.stream }}>{look.name}</Link>;
  if (to.page === 'consumer') {
    return (
      <Link className="resource" to="/accounts/$account/streams/$stream/consumers/$consumer" params={{ account, stream: to.stream, consumer: to.consumer }}>
        {look.name}
      </Link>
    );
  }
  if (to.page === 'credentials') return <Link className="resource" to="/accounts/$account/credentials" params={{ account }}>{look.name}</Link>;
  return <Link to="/accounts/$account/settings" params={{ account }}>{look.name}</Link>;
}

/** Open trouble of the account, worst first; nothing at all while all is well. */
export function NeedsLook({ id, account, streams, consumers }: { id: string; account: Account | undefined; streams: readonly Stream[]; consumers: readonly Consumer[] }) {
  const users = useUsers(id);
  const now = useNow(10_000);
  const found = useMemo(() => needsLook({ account, streams, consumers, users: users.data?.data ?? [] }, now), [account, streams, consumers, users.data, now]);
  if (found.length === 0) return null;
  return (
    <Section title="Needs a look" aside={found.length > MOST ? `${MOST} of ${found.length}` : null}>
      <table>
        <caption className="vh">What needs a look, worst first</caption>
        <tbody>
          {found.slice(0, MOST).map((look) => (
            <tr key={`${look.name}/${look.word}`}>
              <td>
                <Where account={id} look={look} />
              </td>
              <td>
                <StateMark state={look.state}>
                  <span className="wrap-words">{look.word}</span>
                </StateMark>
                <div className="only-phone tiny ink3">{look.more}</div>
              </td>
              <td className="num ink3 from-desk">{look.more}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
