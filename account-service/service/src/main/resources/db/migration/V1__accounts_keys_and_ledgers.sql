-- No column of this schema ever holds a seed or a private key: those are in the key store alone.

create table operator (
    id integer primary key check (id = 1),
    public_key varchar(56) not null,
    jwt text not null,
    system_account_public_key varchar(56) not null,
    system_account_jwt text not null,
    active_signing_key integer not null check (active_signing_key between 1 and 3),
    created_at timestamptz not null
);

create table account (
    account_id varchar(64) primary key,
    public_key varchar(56) not null unique,
    name text not null,
    state varchar(16) not null check (state in ('ACTIVE', 'SUSPENDED', 'DELETING', 'DELETED')),
    -- what the control plane asked for
    generation bigint not null,
    spec text not null,
    -- counts every change that alters the claims, of the control plane, of keys and of revocations
    revision bigint not null,
    signed_revision bigint not null,
    signed_generation bigint not null,
    synced_revision bigint not null,
    observed_generation bigint not null,
    jwt text,
    jwt_hash varchar(64),
    jwt_iat bigint not null,
    last_error text,
    synced_at timestamptz,
    created_at timestamptz not null,
    deleted_at timestamptz
);

create table signing_key_group (
    id bigint generated always as identity primary key,
    account_id varchar(64) not null references account,
    group_id varchar(64) not null,
    role text not null,
    description text not null,
    template text not null,
    state varchar(16) not null check (state in ('ACTIVE', 'REMOVED')),
    -- made by this service for its own use, not shown to tenants
    internal boolean not null,
    created_at timestamptz not null,
    unique (account_id, group_id)
);

create table signing_key_version (
    id bigint generated always as identity primary key,
    group_pk bigint not null references signing_key_group,
    version integer not null,
    public_key varchar(56) not null unique,
    state varchar(16) not null check (state in ('ACTIVE', 'RETIRING', 'REMOVED')),
    retire_at timestamptz,
    created_at timestamptz not null,
    unique (group_pk, version)
);

create table revocation_event (
    id bigint generated always as identity primary key,
    account_id varchar(64) not null references account,
    user_public_key varchar(56) not null,
    kind varchar(16) not null check (kind in ('REVOKED', 'LIFTED', 'PRUNED')),
    revoked_at bigint not null,
    reason text not null,
    actor text not null,
    created_at timestamptz not null
);
create index revocation_event_account on revocation_event (account_id, id);

create table issuance (
    issuance_id varchar(64) primary key,
    account_id varchar(64) not null references account,
    group_id varchar(64) not null,
    key_version integer not null,
    signing_public_key varchar(56) not null,
    user_id varchar(64) not null,
    name text not null,
    user_public_key varchar(56) not null,
    key_generated_here boolean not null,
    jti varchar(64) not null,
    issued_at bigint not null,
    expires_at bigint not null,
    issued_by text not null,
    channel varchar(32) not null,
    tags text not null,
    first_connected timestamptz,
    last_connected timestamptz,
    last_disconnected timestamptz,
    connections bigint not null,
    created_at timestamptz not null
);
create index issuance_account on issuance (account_id, created_at desc, issuance_id);
create index issuance_user_key on issuance (account_id, user_public_key);
create index issuance_jti on issuance (jti);

create table audit_event (
    seq bigint primary key,
    at timestamptz not null,
    actor text not null,
    action text not null,
    request_id text not null,
    account_id varchar(64) not null,
    details text not null,
    previous_hash varchar(64) not null,
    hash varchar(64) not null
);

-- What is appended stays: neither log can be changed or shortened, whoever holds the connection.
create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'table % only grows', tg_table_name;
end
$$;
create trigger audit_event_only_grows before update or delete on audit_event
    for each row execute function refuse_change();
create trigger audit_event_never_truncated before truncate on audit_event
    for each statement execute function refuse_change();
create trigger revocation_event_only_grows before update or delete on revocation_event
    for each row execute function refuse_change();
create trigger revocation_event_never_truncated before truncate on revocation_event
    for each statement execute function refuse_change();
