import {
  IconBox,
  IconCloudDataConnection,
  IconHistory,
  IconId,
  IconKey,
  IconLayoutDashboard,
  IconPlugConnected,
  IconRipple,
  IconRobot,
  IconServer2,
  IconSettings,
  IconShare,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAccount, useOnboarding } from '../api/queries';
import { bytes, share } from '../lib/format';
import { stepsDone, STEPS } from '../lib/onboarding';
import { LevelTube } from '../ui/LevelTube';
import { Overlay } from '../ui/Overlay';
import { Brand } from '../ui/Page';
import { AccountSwitcher } from './AccountSwitcher';
import { storageLimit } from '../lib/account-words';
import { useHere } from './here';

/** Pages of an account that need no more than the account. */
export type AccountPage = `/accounts/$account${'' | '/get-started' | '/connect' | '/streams' | '/kv' | '/objects' | '/credentials' | '/sharing' | '/members' | '/service-accounts' | '/cluster' | '/audit' | '/settings'}`;

interface Item {
  to: AccountPage;
  text: string;
  icon: typeof IconStack2;
  count?: string | number | undefined;
  exact?: boolean;
}

function NavItem({ item, account, onGo }: { item: Item; account: string; onGo?: (() => void) | undefined }) {
  const Icon = item.icon;
  return (
    <li>
      <Link className="nav-link" to={item.to} params={{ account }} activeOptions={{ exact: item.exact ?? false, includeSearch: false }} onClick={onGo}>
        <Icon size={16} stroke={1.6} aria-hidden="true" />
        {item.text}
        {item.count !== undefined ? <span className="count">{item.count}</span> : null}
      </Link>
    </li>
  );
}

function NavBody({ onGo }: { onGo?: () => void }) {
  const here = useHere();
  const id = here.account.id;
  const account = useAccount(id);
  const onboarding = useOnboarding(id, false);
  const usage = account.data?.usage;
  const limit = account.data ? storageLimit(account.data) : -1;
  const done = onboarding.data ? stepsDone(onboarding.data) : 0;
  const starting = onboarding.data && !onboarding.data.dismissed && done < STEPS.length;

  const top: Item[] = [
    ...(starting
      ? [{ to: '/accounts/$account/get-started', text: 'Get started', icon: IconRipple, count: `${done}/${STEPS.length}` } as Item]
      : []),
    { to: '/accounts/$account', text: 'Overview', icon: IconLayoutDashboard, exact: true },
    { to: '/accounts/$account/connect', text: 'Connect', icon: IconPlugConnected },
  ];
  const groups: [string, Item[]][] = [
    [
      'Data',
      [
        { to: '/accounts/$account/streams', text: 'Streams', icon: IconStack2, count: usage?.streams },
        { to: '/accounts/$account/kv', text: 'KV buckets', icon: IconKey },
        { to: '/accounts/$account/objects', text: 'Object buckets', icon: IconBox },
      ],
    ],
    [
      'Access',
      [
        { to: '/accounts/$account/credentials', text: 'Users and keys', icon: IconId },
        { to: '/accounts/$account/sharing', text: 'Sharing', icon: IconShare },
        { to: '/accounts/$account/members', text: 'Members', icon: IconUsers },
        { to: '/accounts/$account/service-accounts', text: 'Service accounts', icon: IconRobot },
      ],
    ],
    [
      'Operate',
      [
        { to: '/accounts/$account/cluster', text: 'Cluster', icon: IconServer2 },
        { to: '/accounts/$account/audit', text: 'Audit log', icon: IconHistory },
        { to: '/accounts/$account/settings', text: 'Settings', icon: IconSettings },
      ],
    ],
  ];
  return (
    <div className="nav-body">
      <Link className="brand" to="/accounts/$account" params={{ account: id }} onClick={onGo}>
        <Brand />
      </Link>
      <AccountSwitcher />
      <ul>
        {top.map((item) => (
          <NavItem key={item.text} item={item} account={id} onGo={onGo} />
        ))}
      </ul>
      {groups.map(([title, items]) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {items.map((item) => (
              <NavItem key={item.text} item={item} account={id} onGo={onGo} />
            ))}
          </ul>
        </div>
      ))}
      {usage ? (
        <div className="nav-foot">
          <div className="line small">
            <span className="label">Storage</span>
            <span className="to-end ink2">
              {limit >= 0 ? `${bytes(usage.storage_bytes)} of ${bytes(limit)}` : `${bytes(usage.storage_bytes)}, no limit`}
            </span>
          </div>
          {limit >= 0 ? <LevelTube percent={share(usage.storage_bytes, limit)} thin /> : null}
          {usage.connections !== null ? (
            <div className="tiny ink3 line" style={{ marginTop: 6 }}>
              <IconCloudDataConnection size={13} stroke={1.6} aria-hidden="true" />
              {usage.connections === 1 ? '1 connection now' : `${usage.connections} connections now`}
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

export function Nav() {
  return (
    <nav className="nav" aria-label="Account">
      <NavBody />
    </nav>
  );
}

/** The same nav behind the menu button of a narrow window. */
export function NavDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Overlay opened={opened} onClose={onClose} label="Navigation" classNames={{ inner: 'drawer-inner', content: 'drawer nav' }}>
      <NavBody onGo={onClose} />
    </Overlay>
  );
}
