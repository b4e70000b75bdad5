import { useMantineColorScheme } from '@mantine/core';
import { IconArrowRight, IconBolt, IconSearch, IconSwitchHorizontal } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { useStreams, useTree } from '../api/queries';
import type { Consumer } from '../api/types';
import { bytes } from '../lib/format';
import { useHere } from './here';
import type { AccountPage } from './Nav';
import { type Entry, search } from './palette-match';
import { signOut } from './session';
import { Overlay } from '../ui/Overlay';

const ICON = { 'Go to': IconArrowRight, Run: IconBolt, Accounts: IconSwitchHorizontal } as const;

function useEntries(): Entry[] {
  const here = useHere();
  const account = here.account.id;
  const navigate = useNavigate();
  const streams = useStreams(account);
  const tree = useTree();
  const client = useQueryClient();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });

  return useMemo(() => {
    const params = { account };
    const page = (text: string, to: AccountPage): Entry => ({
      id: to,
      group: 'Go to',
      text,
      kind: 'page',
      run: () => void navigate({ to, params }),
    });
    const streamEntries = (streams.data?.data ?? []).map(
      (stream): Entry => ({
        id: `stream/${stream.name}`,
        group: 'Go to',
        text: stream.name,
        mono: true,
        kind: `stream, ${stream.subjects.join(' ')}`,
        more: bytes(stream.state.bytes),
        run: () => void navigate({ to: '/accounts/$account/streams/$stream', params: { account, stream: stream.name } }),
      }),
    );
    // Consumers this browser has read already; none is fetched for the palette alone.
    const consumerEntries = client
      .getQueriesData<Consumer[]>({ queryKey: ['consumers', account] })
      .flatMap(([, list]) => list ?? [])
      .map(
        (consumer): Entry => ({
          id: `consumer/${consumer.stream_name}/${consumer.name}`,
          group: 'Go to',
          text: `${consumer.stream_name} / ${consumer.name}`,
          mono: true,
          kind: 'consumer',
          run: () =>
            void navigate({
              to: '/accounts/$account/streams/$stream/consumers/$consumer',
              params: { account, stream: consumer.stream_name, consumer: consumer.name },
            }),
        }),
      );
    const accounts = (tree.data ?? [])
      .filter((entry) => entry.account.id !== account)
      .map(
        (entry): Entry => ({
          id: `account/${entry.account.id}`,
          group: 'Accounts',
          text: entry.account.name,
          mono: true,
          kind: `${entry.org.name}, ${entry.project.name}`,
          run: () => void navigate({ to: '/accounts/$account', params: { account: entry.account.id } }),
        }),
      );
    return [
      page('Overview', '/accounts/$account'),
      page('Connect', '/accounts/$account/connect'),
      page('Streams', '/accounts/$account/streams'),
      page('Users and keys', '/accounts/$account/credentials'),
      page('KV buckets', '/accounts/$account/kv'),
      page('Object buckets', '/accounts/$account/objects'),
      page('Sharing', '/accounts/$account/sharing'),
      page('Members', '/accounts/$account/members'),
      page('Service accounts and tokens', '/accounts/$account/service-accounts'),
      page('Cluster', '/accounts/$account/cluster'),
      page('Audit log', '/accounts/$account/audit'),
      page('Settings', '/accounts/$account/settings'),
      page('Get started', '/accounts/$account/get-started'),
      ...streamEntries,
      ...consumerEntries,
      { id: 'run/stream', group: 'Run', text: 'Create stream', run: () => void navigate({ to: '/accounts/$account/streams/~new', params }) },
      {
        id: 'run/credential',
        group: 'Run',
        text: 'Create credential',
        run: () => void navigate({ to: '/accounts/$account/credentials', params, search: { create: true } }),
      },
      { id: 'run/kv', group: 'Run', text: 'Create KV bucket', run: () => void navigate({ to: '/accounts/$account/kv/~new', params }) },
      { id: 'run/object', group: 'Run', text: 'Create object bucket', run: () => void navigate({ to: '/accounts/$account/objects/~new', params }) },
      { id: 'run/light', group: 'Run', text: 'Use light colours', kind: 'theme appearance', run: () => setColorScheme('light') },
      { id: 'run/dark', group: 'Run', text: 'Use dark colours', kind: 'theme appearance', run: () => setColorScheme('dark') },
      { id: 'run/out', group: 'Run', text: 'Sign out', run: () => void signOut() },
      ...accounts,
    ];
  }, [account, navigate, streams.data, tree.data, client, setColorScheme]);
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const here = useHere();
  const id = useId();
  const entries = useEntries();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const hits = useMemo(() => search(entries, query, query ? 12 : 14), [entries, query]);
  const chosen = Math.min(at, Math.max(0, hits.length - 1));

  const open = (index: number) => {
    const hit = hits[index];
    if (!hit) return;
    onClose();
    hit.entry.run();
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = (chosen + (event.key === 'ArrowDown' ? 1 : -1) + hits.length) % Math.max(1, hits.length);
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(chosen);
    }
  };

  return (
    <>
      <div className="palette-query">
        <IconSearch size={18} stroke={1.6} aria-hidden="true" />
        <input
          data-autofocus
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={hits.length ? `${id}-${chosen}` : undefined}
          aria-label="Go to or run"
          placeholder="Go to a page, stream or account, or run"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <span className="small ink3 mono from-desk">{here.account.name}</span>
        <kbd>Esc</kbd>
      </div>
      <div className="palette-results" role="listbox" id={`${id}-list`} aria-label="Results">
        {(['Go to', 'Run', 'Accounts'] as const).map((group) => {
          const members = hits.map((hit, index) => ({ hit, index })).filter(({ hit }) => hit.entry.group === group);
          if (members.length === 0) return null;
          const Icon = ICON[group];
          return (
            <div role="group" aria-label={group} key={group}>
              <h3 aria-hidden="true">{group}</h3>
              {members.map(({ hit, index }) => (
                <div
                  key={hit.entry.id}
                  role="option"
                  id={`${id}-${index}`}
                  aria-selected={index === chosen}
                  onMouseMove={() => setAt(index)}
                  onClick={() => open(index)}
                >
                  <Icon size={16} stroke={1.6} aria-hidden="true" />
                  <span className="cut">
                    <span className={hit.entry.mono ? 'mono' : undefined}>
                      {hit.pieces.map((piece, i) => (piece.hit ? <mark key={i}>{piece.text}</mark> : <span key={i}>{piece.text}</span>))}
                    </span>{' '}
                    {hit.entry.kind && hit.entry.kind !== 'page' && !hit.entry.kind.startsWith('theme') ? (
                      <span className="ink3 small">{hit.entry.kind}</span>
                    ) : null}
                  </span>
                  <span className="tiny ink3 line">
                    {hit.entry.more}
                    {index === chosen ? <kbd>Enter</kbd> : null}
                  </span>
                </div>
              ))}
            </div>
          );
        })}
      </div>
      {hits.length === 0 ? (
        <p className="ink2" style={{ padding: '14px 16px' }} role="status">
          Nothing in {here.account.name} matches {query}.
        </p>
      ) : null}
      <div className="palette-hints">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </div>
    </>
  );
}

export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Overlay opened={opened} onClose={onClose} label="Command palette" classNames={{ inner: 'dialog-inner', content: 'dialog palette' }}>
      <PaletteBody onClose={onClose} />
    </Overlay>
  );
}
