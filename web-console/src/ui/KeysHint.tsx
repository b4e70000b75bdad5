/** The keys of a table, at its foot. */
export function KeysHint({ copies, opens = true }: { copies?: string; opens?: boolean }) {
  return (
    <span className="from-desk">
      <kbd>J</kbd> <kbd>K</kbd> move, {opens ? <><kbd>Enter</kbd> open, </> : null}
      <kbd>/</kbd> filter
      {copies ? (
        <>
          , <kbd>C</kbd> copy {copies}
        </>
      ) : null}
    </span>
  );
}
