/** What every menu of a button has. */
export const menuLook = {
  unstyled: true,
  // Inside its landmark; the first item takes the focus, as in every menu of a button.
  withinPortal: false,
  withInitialFocusPlaceholder: false,
  classNames: { dropdown: 'menu', item: 'menu-item', label: 'menu-label label', divider: 'menu-line' },
  transitionProps: { duration: 150 },
  offset: 4,
} as const;
