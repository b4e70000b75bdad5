import { shortKey } from '../lib/format';
import { CopyButton } from './Copy';
import { Tip } from './Tip';

interface Props {
  text: string;
  /** What it is, for the name of the copy button: "public key of ci". */
  what: string;
  /** In place of both ends of the text. */
  children?: React.ReactNode;
}

/** Both ends of a long key or digest; pointing at it or focusing its button shows all of it, the button copies all of it. */
export function ShortKey({ text, what, children }: Props) {
  return (
    <Tip label={<span className="mono break">{text}</span>}>
      <span className="line short-key">
        <span className="mono">{children ?? shortKey(text)}</span>
        <CopyButton text={text} what={what} />
      </span>
    </Tip>
  );
}
