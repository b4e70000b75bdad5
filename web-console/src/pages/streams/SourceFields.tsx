import { IconPlus } from '@tabler/icons-react';
import { EMPTY_SOURCE, type SourceForm } from '../../lib/stream-form';
import { Button } from '../../ui/Button';
import { LinesField, More, PlainField } from '../../ui/FormFields';

interface Props {
  source: SourceForm;
  onChange: (source: SourceForm) => void;
  onRemove: (() => void) | null;
  kind: 'Mirror' | 'Source';
}

/** One stream to copy from: its name, where to start, what to take, how to rename it. */
export function SourceBox({ source, onChange, onRemove, kind }: Props) {
  const set = (field: keyof SourceForm) => (value: string) => onChange({ ...source, [field]: value });
  return (
    <div className="source-box" role="group" aria-label={`${kind} ${source.name || 'without a name'}`}>
      <div className="pair">
        <PlainField label={`${kind} of stream`} mono value={source.name} onChange={set('name')} placeholder="ORDERS" />
        <PlainField label="Only subjects of" mono optional value={source.filter} onChange={set('filter')} placeholder="orders.eu.>" />
        <PlainField label="From sequence" mono optional value={source.startSeq} onChange={set('startSeq')} placeholder="first kept" />
        <PlainField label="From time" mono optional value={source.startTime} onChange={set('startTime')} placeholder="2026-11-30T09:00:00Z" />
      </div>
      <More title="Rename subjects, another account" open={source.transforms !== '' || source.externalApi !== ''}>
        <LinesField label="Rename subjects" value={source.transforms} onChange={set('transforms')} placeholder="orders.eu.> eu.orders.>" help="From and to, parted by a space; one a line." />
        <div className="pair">
          <PlainField label="API prefix of the other account" mono optional value={source.externalApi} onChange={set('externalApi')} placeholder="JS.shop.API" help="As the accepted import names it." />
          <PlainField label="Delivery prefix" mono optional value={source.externalDeliver} onChange={set('externalDeliver')} placeholder="deliver.shop" />
        </div>
      </More>
      {onRemove ? (
        <div>
          <Button size="compact" onClick={onRemove}>
            Remove this {kind.toLowerCase()}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

interface ListProps {
  sources: readonly SourceForm[];
  onChange: (sources: SourceForm[]) => void;
}

export function SourceList({ sources, onChange }: ListProps) {
  return (
    <div className="stack">
      {sources.map((source, i) => (
        <SourceBox key={i} kind="Source" source={source} onChange={(next) => onChange(sources.map((other, at) => (at === i ? next : other)))} onRemove={() => onChange(sources.filter((_, at) => at !== i))} />
      ))}
      <div>
        <Button size="compact" onClick={() => onChange([...sources, { ...EMPTY_SOURCE }])}>
          <IconPlus size={14} stroke={1.8} aria-hidden="true" />
          Add source
        </Button>
      </div>
    </div>
  );
}
