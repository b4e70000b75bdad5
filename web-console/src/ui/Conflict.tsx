import { configValue } from '../lib/config-words';
import { type MergeRow, safeMerge } from '../lib/merge';
import { Button } from './Button';
import { StateMark } from './StateMark';

interface Props {
  name: string;
  rows: readonly MergeRow[];
  busy: boolean;
  onSafe: (rows: MergeRow[]) => void;
  onTheirs: () => void;
  onYours: (rows: MergeRow[]) => void;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Someone saved first. Nothing was overwritten; the choice is made field by field in the open. */
export function Conflict({ name, rows, busy, onSafe, onTheirs, onYours }: Props) {
  const safe = safeMerge(rows);
  const clashes = rows.filter((row) => row.clash).length;
  const blocked = busy ? 'The change is being saved.' : null;
  return (
    <div className="placard" role="alert" style={{ maxWidth: 760 }}>
      <StateMark state="watch" size={18} className="bold">
        {name} changed while you were editing
      </StateMark>
      <p className="ink2">
        Someone else saved first. Nothing of theirs was overwritten.{' '}
        {clashes === 0 ? 'No field differs on both sides.' : `${clashes} ${clashes === 1 ? 'field differs' : 'fields differ'} on both sides.`}
      </p>
      <div className="scroll-x" style={{ width: '100%' }}>
        <table>
          <caption className="vh">Fields that changed</caption>
          <thead>
            <tr>
              <th>Field</th>
              <th className="num">Was</th>
              <th className="num">Theirs</th>
              <th className="num">Yours</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.field}>
                <td className="mono">
                  {row.field} {row.clash ? <StateMark state="watch" hidden="differs on both sides" /> : null}
                </td>
                <td className="num ink3">{configValue(row.field, row.was)}</td>
                <td className="num">{configValue(row.field, row.theirs)}</td>
                <td className="num">{configValue(row.field, row.yours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="line wrap">
        <Button look="primary" blocked={blocked} onClick={() => onSafe(safe)}>
          {safe.length ? `Keep theirs, add my ${safe.map((row) => row.field).join(', ')}` : 'Keep theirs'}
        </Button>
        {clashes > 0 ? (
          <Button blocked={blocked} onClick={() => onYours(rows.filter((row) => !same(row.yours, row.theirs) && !same(row.yours, row.was)))}>
            Save mine over theirs
          </Button>
        ) : null}
        <Button look="ghost" blocked={blocked} onClick={onTheirs}>
          Start again from theirs
        </Button>
      </div>
    </div>
  );
}
