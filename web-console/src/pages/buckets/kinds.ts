/** Words and addresses of the two kinds of buckets. */
export const KINDS = {
  kv: {
    noun: 'KV bucket',
    plural: 'KV buckets',
    purpose: 'Values by key: settings, states, locks. Writers can ask for the revision they know, so that nothing is overwritten unseen.',
    path: 'kv',
    root: 'kv',
    one: 'kv-bucket',
    list: '/accounts/$account/kv',
    create: '/accounts/$account/kv/~new',
    detail: '/accounts/$account/kv/$bucket',
    edit: '/accounts/$account/kv/$bucket/edit',
  },
  object: {
    noun: 'object bucket',
    plural: 'Object buckets',
    purpose: 'Files of any size by name, stored in pieces with a digest.',
    path: 'objects',
    root: 'objects',
    one: 'object-bucket',
    list: '/accounts/$account/objects',
    create: '/accounts/$account/objects/~new',
    detail: '/accounts/$account/objects/$bucket',
    edit: '/accounts/$account/objects/$bucket/edit',
  },
} as const;

export type Kind = keyof typeof KINDS;
