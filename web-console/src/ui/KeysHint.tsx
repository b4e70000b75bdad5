/** The keys of a table, at its foot. */
export function KeysHint({ copies, opens = true, filters = true }: { copies?: string; opens?: boolean; filters?: boolean }) {
  return (
    <span className="from-desk">
      <kbd>J</kbd> <kbd>K</kbd> move{opens ? <>, <kbd>Enter</kbd> open</> : null}
      {filters ? <>, <kbd>/</kbd> filter</> : null}
      {copies ? (
        <>
          , <kbd>C</kbd> copy {copies}
        </>
      ) : null}
    </span>
  );
}
