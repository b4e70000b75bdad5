import { CopyButton } from './Copy';

/** A name the broker or the API knows, with its copy button. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className="line">
      <span className="mono break">{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
