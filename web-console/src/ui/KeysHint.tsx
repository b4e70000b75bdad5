/** The keys of a table, at its foot. */
export function KeysHint({ copies }: { copies?: string }) {
  return (
    <span className="from-desk">
      <kbd>J</kbd> <kbd>K</kbd> move, <kbd>Enter</kbd> open, <kbd>/</kbd> filter
      {copies ? (
        <>
          , <kbd>C</kbd> copy {copies}
        </>
      ) : null}
    </span>
  );
}
