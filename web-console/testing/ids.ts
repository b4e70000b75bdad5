export const IDS = {
  org: 'org_01J9ZQ4T7YJ3M5X8R2B6C0D1EF',
  project: 'proj_01J9ZQ4T7YJ3M5X8R2B6C0D1EF',
  account: 'acct_01J9ZQ4T7YJ3M5X8R2B6C0D1EF',
  group: 'skg_01J9ZQ4T7YJ3M5X8R2B6C0D1EF',
};

let serial = 0;

export function newId(prefix: string): string {
  serial += 1;
  return `${prefix}_01J9ZQ4T7YJ3M5X8R2B6${String(serial).padStart(6, '0')}`;
}

export const iso = (ms: number): string => new Date(ms).toISOString();
