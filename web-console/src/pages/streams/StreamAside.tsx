import type { Account, Affected } from '../../api/types';
import { type ApiError } from '../../api/error';
import { jetStream } from '../../lib/account-words';
import { bytes, count, share } from '../../lib/format';
import { type StreamForm, streamSentence, toConfig } from '../../lib/stream-model';
import { CodeTabs, type CodeTab } from '../../ui/Code';
import { LevelTube } from '../../ui/LevelTube';
import { Section } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';

interface Props {
  form: StreamForm;
  account: Account | undefined;
  dryRun: { state: 'none' | 'incomplete' | 'asking' | 'fits' | 'refused'; affected?: Affected; error?: ApiError };
  tabs: readonly CodeTab[];
}

/** What pressing the button will do, said in words, figures and code. */
export function StreamAside({ form, account, dryRun, tabs }: Props) {
  const size = toConfig(form).max_bytes ?? -1;
  const limit = account ? jetStream(account)[form.storage === 'file' ? 'storage_bytes' : 'memory_bytes'] : -1;
  const used = account?.usage ? (form.storage === 'file' ? account.usage.storage_bytes : account.usage.memory_bytes) : null;
  return (
    <aside>
      <div className="label">What this will do</div>
      <p style={{ fontSize: 'var(--t-lg)', lineHeight: '24px', margin: '4px 0 14px' }} aria-live="polite">
        {streamSentence(form)}
      </p>
      <Section
        title="Impact"
        aside={
          dryRun.state === 'incomplete'
            ? 'asked once every field is right'
            : dryRun.state === 'asking'
              ? 'dry run under way'
              : dryRun.state === 'fits'
                ? 'dry run: the broker would take it'
                : null
        }
      >
        {dryRun.error ? (
          <p style={{ marginBottom: 10 }}>
            <StateMark state="fault" size={14} hidden="Refused">
              <span style={{ whiteSpace: 'normal' }}>{dryRun.error.message}</span>
            </StateMark>
          </p>
        ) : null}
        <table>
          <caption className="vh">Impact</caption>
          <tbody>
            <tr>
              <td className="ink2">Largest it can grow</td>
              <td className="num">{size < 0 ? 'no limit of its own' : bytes(size)}</td>
            </tr>
            {used !== null ? (
              <tr>
                <td className="ink2">{form.storage === 'file' ? 'Account storage now' : 'Account memory now'}</td>
                <td className="num">
                  {limit >= 0 ? (
                    <span className="line" style={{ justifyContent: 'flex-end' }}>
                      <span style={{ width: 74 }}>
                        <LevelTube percent={share(used, limit)} />
                      </span>
                      {bytes(used)} of {bytes(limit)}
                    </span>
                  ) : (
                    `${bytes(used)}, no limit`
                  )}
                </td>
              </tr>
            ) : null}
            {dryRun.affected && dryRun.affected.messages !== '0' ? (
              <tr>
                <td className="ink2">Messages removed at once</td>
                <td className="num bold">
                  {count(dryRun.affected.messages)}, {bytes(dryRun.affected.bytes)}
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </Section>
      <CodeTabs tabs={tabs} label="The same as code" />
    </aside>
  );
}
