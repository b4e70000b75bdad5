import { useId } from 'react';
import { TabList } from './Code';

interface Props {
  label: string;
  /** Names in order; the value is what stands in the address. */
  tabs: Record<string, string | undefined>;
  chosen: string | undefined;
  counts?: Record<string, string | number | undefined>;
  onChoose: (value: string | undefined) => void;
  children: (name: string) => React.ReactNode;
}

/** Tabs whose choice stands in the address, with the panel below. */
export function PageTabs({ label, tabs, chosen, counts, onChoose, children }: Props) {
  const id = useId();
  const names = Object.keys(tabs);
  const name = names.find((entry) => tabs[entry] === chosen) ?? (names[0] as string);
  return (
    <>
      <TabList id={id} label={label} names={names} chosen={name} {...(counts ? { counts } : {})} onChoose={(next) => onChoose(tabs[next])} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${name}`} style={{ marginTop: 12 }}>
        {children(name)}
      </div>
    </>
  );
}
