import { A, opens, type Shot, whileReading } from './shot';

/** Users, keys, sharing, people and settings. */
export const ACCESS: readonly Shot[] = [
  { name: 'credentials', path: `${A}/credentials`, act: async (page) => {
    await page.getByRole('button', { name: 'edi-gateway' }).click();
    await page.getByText('Issue another credential').waitFor();
  } },
  { name: 'credentials-empty', path: `${A}/credentials`, state: 'fresh' },
  { name: 'credentials-groups', path: `${A}/credentials?tab=groups` },
  { name: 'credentials-issuances', path: `${A}/credentials?tab=issuances` },
  { name: 'credential-create', path: `${A}/credentials?create=true`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('invoice-service');
  } },
  { name: 'credential-own-key', path: `${A}/credentials?create=true`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('invoice-service');
    await page.getByRole('radio', { name: /I have a key/ }).click();
  } },
  { name: 'credential-ready', path: `${A}/credentials?create=true`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('invoice-service');
    await page.getByRole('dialog').getByRole('button', { name: 'Create credential' }).click();
    await page.getByText('is ready').waitFor();
  } },
  { name: 'connect', path: `${A}/connect`, act: async (page) => {
    await page.getByLabel('Stream', { exact: true }).selectOption('ORDERS');
    await page.getByLabel('Consumer', { exact: true }).selectOption('fulfilment');
    await page.getByRole('tab', { name: 'Go' }).click();
    await page.getByRole('button', { name: 'Consume' }).click();
  } },
  { name: 'connect-waiting', path: `${A}/connect`, state: 'fresh' },
  { name: 'sharing', path: `${A}/sharing`, act: async (page) => {
    await page.getByRole('button', { name: 'order-events' }).click();
    await page.getByText('Share with an account').waitFor();
  } },
  { name: 'sharing-imports', path: `${A}/sharing?tab=imports` },
  { name: 'sharing-offers', path: `${A}/sharing?tab=offers` },
  { name: 'sharing-export', path: `${A}/sharing`, act: async (page) => {
    await page.getByRole('button', { name: 'Create export' }).click();
    await page.getByRole('textbox', { name: 'Subject', exact: true }).fill('track.eu');
  } },
  { name: 'sharing-import', path: `${A}/sharing?tab=imports`, act: async (page) => {
    await page.getByRole('button', { name: 'Create import' }).click();
  } },
  { name: 'members', path: `${A}/members` },
  { name: 'members-invitations', path: `${A}/members?tab=invitations` },
  { name: 'members-roles', path: `${A}/members?tab=roles` },
  { name: 'members-invite', path: `${A}/members`, act: async (page) => {
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByLabel('E-mail address').fill('noor@meridian-freight.example');
  } },
  { name: 'service-accounts', path: `${A}/service-accounts`, act: async (page) => {
    await page.getByRole('button', { name: 'ci', exact: true }).click();
    await page.getByText('deploy', { exact: true }).waitFor();
  } },
  { name: 'tokens-all', path: `${A}/service-accounts?tab=tokens` },
  { name: 'token-create', path: `${A}/service-accounts`, act: async (page) => {
    await page.getByRole('button', { name: 'ci', exact: true }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Name').fill('release');
  } },
  { name: 'token-ready', path: `${A}/service-accounts?tab=personal`, act: async (page) => {
    await page.getByRole('button', { name: 'Create personal token' }).click();
    await page.getByLabel('Name').fill('laptop-2');
    await page.getByRole('radio', { name: /Read all/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText('is ready').waitFor();
  } },
  { name: 'revocations', path: `${A}/credentials?tab=revocations` },
  { name: 'revoke-key', path: `${A}/credentials?tab=revocations`, act: async (page) => {
    await page.getByRole('button', { name: 'Revoke key' }).click();
  } },
  { name: 'settings', path: `${A}/settings` },
  { name: 'settings-limits', path: `${A}/settings`, act: async (page) => {
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByLabel('Streams', { exact: true }).fill('3');
    await page.getByText('streams are in use').first().waitFor();
  } },
  { name: 'settings-mapping', path: `${A}/settings`, act: async (page) => {
    await page.getByRole('button', { name: 'Edit mapping of eta.request.*' }).click();
  } },
  { name: 'account-deleted', path: `${A}/streams`, before: (api) => Object.assign(api.state.access.account, { state: 'deleted', purge_at: new Date(Date.now() + 6 * 86_400_000).toISOString() }) },
  { name: 'credential-revoke', path: `${A}/credentials`, act: async (page) => {
    await page.getByRole('button', { name: 'edi-gateway' }).click();
    await page.getByRole('button', { name: 'Revoke user' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'credentials-error', path: `${A}/credentials`, before: (api) => api.faults.push({ method: 'GET', path: /\/users$/, status: 500, code: 'internal', detail: 'The users could not be read from the database.' }) },
  { name: 'credentials-loading', path: `${A}/credentials`, act: (page, api) => whileReading(page, api, /\/users$/) },
  { name: 'revocations-empty', path: `${A}/credentials?tab=revocations`, state: 'fresh' },
  { name: 'revocation-lift', path: `${A}/credentials?tab=revocations`, act: opens('Lift revocation of UDTHQ2TZC') },
  { name: 'sharing-empty', path: `${A}/sharing`, state: 'fresh' },
  { name: 'sharing-imports-empty', path: `${A}/sharing?tab=imports`, state: 'fresh' },
  { name: 'sharing-offers-empty', path: `${A}/sharing?tab=offers`, state: 'fresh' },
  { name: 'sharing-share', path: `${A}/sharing`, act: async (page) => {
    await page.getByRole('button', { name: 'order-events' }).click();
    await page.getByRole('button', { name: 'Share with an account' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'sharing-export-delete', path: `${A}/sharing`, act: async (page) => {
    await page.getByRole('button', { name: 'order-events' }).click();
    await page.getByRole('button', { name: 'Delete export' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'sharing-import-delete', path: `${A}/sharing?tab=imports`, act: opens('Delete rates') },
  { name: 'members-role', path: `${A}/members`, act: opens('Change role of Ruben Aalto') },
  { name: 'members-remove', path: `${A}/members`, act: opens('Remove Ruben Aalto') },
  { name: 'members-invitations-empty', path: `${A}/members?tab=invitations`, state: 'fresh' },
  { name: 'members-give-role', path: `${A}/members?tab=roles`, act: opens('Give role') },
  { name: 'service-accounts-empty', path: `${A}/service-accounts`, state: 'fresh' },
  { name: 'tokens-personal', path: `${A}/service-accounts?tab=personal` },
  { name: 'tokens-personal-empty', path: `${A}/service-accounts?tab=personal`, state: 'fresh' },
  { name: 'service-account-create', path: `${A}/service-accounts`, act: opens('Create service account') },
  { name: 'token-rotate', path: `${A}/service-accounts?tab=tokens`, act: opens('Rotate deploy') },
  { name: 'token-revoke', path: `${A}/service-accounts?tab=tokens`, act: opens('Revoke deploy') },
  { name: 'settings-fresh', path: `${A}/settings`, state: 'fresh' },
  { name: 'settings-rename', path: `${A}/settings`, act: opens('Rename') },
  { name: 'settings-permissions', path: `${A}/settings`, act: opens('Change permissions') },
  { name: 'settings-terraform', path: `${A}/settings`, act: opens('All of it as Terraform') },
  { name: 'settings-delete', path: `${A}/settings`, before: (api) => (api.state.access.account.deletion_protection = false), act: opens('Delete account') },
  { name: 'settings-deleted', path: `${A}/settings`, before: (api) => {
    const entry = api.state.streams.get('QUOTES');
    if (entry) api.state.deletedStreams.set('QUOTES', { entry, at: Date.now() - 86_400_000 });
    api.state.streams.delete('QUOTES');
  } },
];
