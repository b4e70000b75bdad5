import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useExports, useImports, useOffers } from '../../api/resources';
import type { Export, Import, Offer } from '../../api/types';
import { useDenied } from '../../frame/permissions';
import { Button } from '../../ui/Button';
import { Listing } from '../../ui/Listing';
import { PageHead } from '../../ui/Page';
import { PageTabs } from '../../ui/Tabs';
import { Empty } from '../../ui/states';
import { ExportDialog } from './ExportDialog';
import { ExportsTable } from './ExportsTable';
import { ImportDialog } from './ImportDialog';
import { ImportsTable } from './ImportsTable';
import { OffersTable } from './OffersTable';

export function SharingPage() {
  const { account } = useParams({ from: '/accounts/$account/sharing' });
  const { tab } = useSearch({ from: '/accounts/$account/sharing' });
  const navigate = useNavigate();
  const exports = useExports(account);
  const imports = useImports(account);
  const offers = useOffers(account);
  const no = useDenied('sharing:write');
  const [exporting, setExporting] = useState<Export | 'new' | null>(null);
  const [importing, setImporting] = useState<Import | 'new' | Offer | null>(null);
  const waiting = (offers.data ?? []).filter((offer) => offer.state === 'offered').length;
  const add =
    tab === undefined ? (
      <Button look="primary" blocked={no} onClick={() => setExporting('new')}>
        <IconPlus size={15} stroke={1.8} aria-hidden="true" />
        Create export
      </Button>
    ) : (
      <Button look="primary" blocked={no} onClick={() => setImporting('new')}>
        <IconPlus size={15} stroke={1.8} aria-hidden="true" />
        Create import
      </Button>
    );

  return (
    <>
      <PageHead tab="Sharing" title="Sharing" facts={<span>Accounts see nothing of each other. An export offers subjects; another account imports them.</span>} actions={add} />
      <PageTabs
        label="Sharing"
        tabs={{ Exports: undefined, Imports: 'imports', Offers: 'offers' }}
        chosen={tab}
        counts={{ Exports: exports.data?.length, Imports: imports.data?.length, Offers: waiting || undefined }}
        onChoose={(value) => void navigate({ to: '/accounts/$account/sharing', params: { account }, search: value ? { tab: value as 'imports' | 'offers' } : {}, replace: true })}
      >
        {(name) =>
          name === 'Exports' ? (
            <Listing
              query={exports}
              what="exports"
              columns={['Export', 'Subject', 'Shares']}
              empty={
                <Empty title="Nothing is exported">
                  <p className="ink2">An export lets other accounts receive a stream of messages, or call a service that answers here.</p>
                  {add}
                </Empty>
              }
            >
              {(rows) => <ExportsTable account={account} rows={rows} blocked={no} onEdit={setExporting} />}
            </Listing>
          ) : name === 'Imports' ? (
            <Listing
              query={imports}
              what="imports"
              columns={['Import', 'Subject', 'State']}
              empty={
                <Empty title="Nothing is imported">
                  <p className="ink2">An import makes subjects of another account appear in this one, where the other account exports them.</p>
                  {add}
                </Empty>
              }
            >
              {(rows) => <ImportsTable rows={rows} blocked={no} onEdit={setImporting} />}
            </Listing>
          ) : (
            <Listing
              query={offers}
              what="offers"
              columns={['Offer', 'Subject', 'State']}
              empty={
                <Empty title="Nothing is offered to this account" drawing={false}>
                  <p className="ink2">When another account shares an export with this one, it shows up here to be accepted.</p>
                </Empty>
              }
            >
              {(rows) => <OffersTable account={account} rows={rows} blocked={no} onImport={setImporting} />}
            </Listing>
          )
        }
      </PageTabs>
      {exporting ? <ExportDialog account={account} start={exporting === 'new' ? null : exporting} taken={(exports.data ?? []).map((entry) => entry.name)} onClose={() => setExporting(null)} /> : null}
      {importing ? (
        <ImportDialog
          account={account}
          start={importing === 'new' || 'exporter_public_key' in importing ? null : importing}
          offer={importing !== 'new' && 'exporter_public_key' in importing ? importing : null}
          taken={(imports.data ?? []).map((entry) => entry.name)}
          onClose={() => setImporting(null)}
        />
      ) : null}
    </>
  );
}
