import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLogout, IconMenu2, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { Link, useMatches } from '@tanstack/react-router';
import { useContact } from '../api/query-client';
import { setPrefs, usePrefs } from '../lib/prefs';
import { Button } from '../ui/Button';
import { StateMark } from '../ui/StateMark';
import { menuLook } from '../ui/menu-look';
import { noteDone } from '../ui/done-notes';
import type { Crumb } from '../router';
import { useHere } from './here';
import { signOut } from './session';

function Breadcrumb() {
  const here = useHere();
  const matches = useMatches();
  const crumbs: { crumb: Crumb; path: string }[] = [];
  for (const match of matches) {
    const given = match.staticData?.crumb;
    if (!given) continue;
    crumbs.push({
      crumb: typeof given === 'function' ? given(match.params as Record<string, string>) : given,
      path: match.pathname,
    });
  }
  return (
    <nav aria-label="Breadcrumb" className="grow">
      <ol className="crumbs">
        <li>{here.org.name}</li>
        <li>{here.project.name}</li>
        <li>
          {crumbs.length ? (
            <Link to="/accounts/$account" params={{ account: here.account.id }} activeOptions={{ exact: true }} className="mono">
              {here.account.name}
            </Link>
          ) : (
            <span aria-current="page" className="mono">
              {here.account.name}
            </span>
          )}
        </li>
        {crumbs.map(({ crumb, path }, i) => (
          <li key={path}>
            {i < crumbs.length - 1 ? (
              <Link to={path} activeOptions={{ exact: true, includeSearch: true }} className={crumb.mono ? 'mono' : undefined}>
                {crumb.text}
              </Link>
            ) : (
              <span aria-current="page" className={crumb.mono ? 'mono cut' : 'cut'}>
                {crumb.text}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function LiveControl() {
  const { refreshSeconds } = usePrefs();
  const contact = useContact();
  const lost = contact.state === 'lost';
  const word = lost ? 'Reconnecting' : refreshSeconds === 0 ? 'Refresh off' : `Live, ${refreshSeconds} s`;
  return (
    <Menu {...menuLook} position="bottom-end">
      <Menu.Target>
        <Button look="ghost" className="from-desk" aria-label={`${word}. Change how often values are read`}>
          <StateMark state={lost ? 'stale' : refreshSeconds === 0 ? 'held' : 'steady'} size={10} />
          <span style={{ fontWeight: 400 }}>{word}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Read values again</Menu.Label>
        {([5, 30, 0] as const).map((seconds) => (
          <Menu.Item key={seconds} data-autofocus={seconds === 5 || undefined} onClick={() => setPrefs({ refreshSeconds: seconds })}>
            {seconds === 0 ? 'Off' : `Every ${seconds} s`}
            {seconds === refreshSeconds ? <span className="tiny ink3"> current</span> : null}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES: [MantineColorScheme, string, typeof IconSun][] = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'As the system', IconDeviceDesktop],
];

function Person() {
  const { me } = useHere();
  // Without keepTransitions Mantine injects a style element for a moment.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { zone } = usePrefs();
  const words = (me.user.name || me.user.email).split(/[\s@.]+/).filter(Boolean);
  const initials = `${words[0]?.[0] ?? ''}${words[1]?.[0] ?? ''}`.toUpperCase();
  return (
    <Menu {...menuLook} position="bottom-end">
      <Menu.Target>
        <Button look="ghost" square className="person" aria-label={`Your account, ${me.user.name || me.user.email}`}>
          {initials}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.user.email}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(([value, text, Icon]) => (
          <Menu.Item key={value} data-autofocus={value === 'light' || undefined} onClick={() => setColorScheme(value)} leftSection={<Icon size={16} stroke={1.6} aria-hidden="true" />}>
            {text}
            {colorScheme === value ? <span className="tiny ink3"> current</span> : null}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => setPrefs({ zone: zone === 'utc' ? 'local' : 'utc' })}>
          Show times in {zone === 'utc' ? 'local time' : 'UTC'}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.6} aria-hidden="true" />}
          onClick={() => {
            signOut().catch(() => noteDone('Signing out failed: the control plane gave no answer. You are still signed in.'));
          }}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function Header({ onPalette, onDrawer }: { onPalette: () => void; onDrawer: () => void }) {
  const { zone } = usePrefs();
  return (
    <header className="topbar">
      <Button look="ghost" square className="only-drawer" aria-label="Open navigation" onClick={onDrawer}>
        <IconMenu2 size={18} stroke={1.6} aria-hidden="true" />
      </Button>
      <Breadcrumb />
      <LiveControl />
      <Button
        look="ghost"
        className="from-desk"
        style={{ fontWeight: 400 }}
        aria-label={`Times shown in ${zone === 'utc' ? 'UTC' : 'local time'}. Change`}
        onClick={() => setPrefs({ zone: zone === 'utc' ? 'local' : 'utc' })}
      >
        {zone === 'utc' ? 'UTC' : 'Local'}
      </Button>
      <button type="button" className="palette-field" aria-label="Open command palette, Control K" onClick={onPalette}>
        <IconSearch size={15} stroke={1.6} aria-hidden="true" />
        <span>Go to or run</span>
        <kbd>Ctrl K</kbd>
      </button>
      <Person />
    </header>
  );
}
