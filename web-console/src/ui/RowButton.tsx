/** The name of a row that opens what is below it. The whole row does too, so the click ends here. */
export function RowButton({ opened, onToggle, children }: { opened: boolean; onToggle: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      className="row-button resource"
      aria-expanded={opened}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      {children}
    </button>
  );
}
