import { Popover } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { useTree } from '../api/queries';
import { useHere } from './here';

/** The account, its project and organisation; opens a tree that can be filtered. */
export function AccountSwitcher() {
  const here = useHere();
  const tree = useTree();
  const navigate = useNavigate();
  const id = useId();
  const [opened, setOpened] = useState(false);
  const [query, setQuery] = useState('');

  const groups = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    const found = (tree.data ?? []).filter((entry) =>
      `${entry.org.name} ${entry.project.name} ${entry.account.name}`.toLowerCase().includes(wanted),
    );
    const byProject = new Map<string, typeof found>();
    for (const entry of found) {
      const key = `${entry.org.name}, ${entry.project.name}`;
      byProject.set(key, [...(byProject.get(key) ?? []), entry]);
    }
    return [...byProject];
  }, [tree.data, query]);

  const go = (account: string) => {
    setOpened(false);
    setQuery('');
    void navigate({ to: '/accounts/$account', params: { account } });
  };

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      offset={4}
      trapFocus
      returnFocus
      withinPortal
      unstyled
      classNames={{ dropdown: 'menu' }}
      transitionProps={{ duration: 150 }}
    >
      <Popover.Target>
        <button
          type="button"
          className="account-button"
          data-account-switcher
          aria-label={`Switch account. Current: ${here.account.name}, ${here.org.name}, ${here.project.name}`}
          onClick={() => setOpened(!opened)}
        >
          <b className="cut">{here.account.name}</b>
          <small className="cut">
            {here.org.name}, {here.project.name}
          </small>
          <IconSelector size={16} stroke={1.6} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Accounts" style={{ width: 260 }}>
        <label className="input quiet" htmlFor={id} style={{ marginBottom: 4 }}>
          <span className="vh">Filter accounts</span>
          <input id={id} data-autofocus placeholder="Account, project or organisation" value={query} onChange={(event) => setQuery(event.target.value)} />
        </label>
        <div className="tree">
          {groups.map(([name, entries]) => (
            <div key={name}>
              <p className="tree-head">{name}</p>
              {entries.map((entry) => (
                <button
                  key={entry.account.id}
                  type="button"
                  className="menu-item mono"
                  aria-current={entry.account.id === here.account.id ? 'true' : undefined}
                  onClick={() => go(entry.account.id)}
                >
                  {entry.account.name}
                  {entry.account.id === here.account.id ? <span className="to-end tiny ink3">current</span> : null}
                </button>
              ))}
            </div>
          ))}
          {groups.length === 0 ? <p className="menu-label small ink2">No account matches {query}.</p> : null}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
