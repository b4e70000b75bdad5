-- Settings of accounts and users, sharing, deletion that can be taken back, operations.

alter table project
  add column description text not null default '',
  add column environment text not null default 'development' check (environment in ('development', 'production')),
  add column deletion_protection boolean not null default false,
  add column deleted_at timestamptz;
alter table project drop constraint project_org_id_name_key;
create unique index project_name on project (org_id, name) where deleted_at is null;

alter table account
  add column deletion_protection boolean not null default false,
  add column default_permissions text,
  add column mappings text not null default '[]',
  add column deleted_at timestamptz,
  add column purge_at timestamptz;
alter table account drop constraint account_state_check;
alter table account add constraint account_state_check check (state in ('active', 'suspended', 'deleted', 'deleting'));
alter table account drop constraint account_org_id_project_id_name_key;
create unique index account_name on account (org_id, project_id, name) where deleted_at is null;
create index account_public_key on account (public_key);

-- A deleted user keeps its row for the ledger, without a group.
alter table broker_user
  alter column group_id drop not null,
  add column disabled boolean not null default false,
  add column jwt_ttl text,
  add column tags text not null default '',
  add column deleted_at timestamptz;
alter table broker_user drop constraint broker_user_org_id_account_id_name_key;
create unique index broker_user_name on broker_user (org_id, account_id, name) where deleted_at is null;

alter table issuance
  add column revoke_at timestamptz,
  add column issue_key text;
create unique index issuance_issue_key on issuance (org_id, user_id, issue_key) where issue_key is not null and state <> 'failed';

create table account_export (
  id                     text not null primary key,
  org_id                 text not null,
  account_id             text not null,
  name                   text not null,
  subject                text not null,
  type                   text not null check (type in ('stream', 'service')),
  description            text not null,
  response_type          text check (response_type in ('singleton', 'stream', 'chunked')),
  token_required         boolean not null,
  account_token_position integer not null,
  latency_sampling       integer,
  latency_subject        text,
  allow_trace            boolean not null,
  advertise              boolean not null,
  generation             bigint not null,
  version                bigint not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  unique (org_id, id),
  unique (org_id, account_id, name),
  foreign key (org_id, account_id) references account (org_id, id)
);

-- An export offered to one account, perhaps of another organisation. Everything the target may see of the exporter is in this row;
-- importer_* are the target's own and not shown to the exporter.
create table share (
  id                     text not null primary key,
  org_id                 text not null,
  account_id             text not null,
  export_id              text not null,
  target_public_key      text not null,
  target_account_id      text,
  state                  text not null check (state in ('offered', 'accepted', 'declined', 'revoked')),
  expires_at             timestamptz,
  decided_at             timestamptz,
  revoked_second         bigint,
  exporter_public_key    text not null,
  export_name            text not null,
  subject                text not null,
  type                   text not null check (type in ('stream', 'service')),
  description            text not null,
  response_type          text,
  account_token_position integer not null,
  token                  text not null,
  importer_org_id        text,
  importer_account_id    text,
  version                bigint not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  foreign key (org_id, account_id) references account (org_id, id),
  foreign key (org_id, export_id) references account_export (org_id, id)
);
create index share_export on share (org_id, export_id, id);
create index share_target on share (target_public_key, id);
create unique index share_once on share (export_id, target_public_key) where state <> 'revoked';

create table account_import (
  id                    text not null primary key,
  org_id                text not null,
  account_id            text not null,
  name                  text not null,
  type                  text not null check (type in ('stream', 'service')),
  subject               text not null,
  local_subject         text,
  remote_account_id     text,
  remote_public_key     text not null,
  share_id              text,
  own_token             text,
  share_connection_info boolean not null,
  allow_trace           boolean not null,
  expires_at            timestamptz,
  generation            bigint not null,
  version               bigint not null,
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  unique (org_id, id),
  unique (org_id, account_id, name),
  foreign key (org_id, account_id) references account (org_id, id)
);
create index account_import_share on account_import (share_id);

-- What we know of a stream beside the broker. `created` is the birth of the stream it is about: one made anew under the same name
-- is another one. `saved` is what a deleted stream had that is given back by a restore.
create table stream_record (
  account_id          text not null,
  name                text not null,
  org_id              text not null,
  created             text,
  deletion_protection boolean not null,
  saved               text,
  messages            bigint not null default 0,
  bytes               bigint not null default 0,
  deleted_at          timestamptz,
  purge_at            timestamptz,
  primary key (account_id, name),
  foreign key (org_id, account_id) references account (org_id, id)
);

create table operation (
  id         text not null primary key,
  org_id     text not null,
  account_id text not null,
  kind       text not null,
  state      text not null check (state in ('queued', 'running', 'waiting', 'succeeded', 'failed')),
  target     text not null,
  steps      text not null,
  generation bigint not null,
  created_by text not null,
  error      text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (org_id, account_id) references account (org_id, id)
);
create index operation_account on operation (org_id, account_id, id);

-- What falls due by itself: purges and revocations after an overlap.
create table due_task (
  kind       text not null,
  ref        text not null,
  org_id     text not null,
  account_id text not null,
  attempts   integer not null,
  due_at     timestamptz not null,
  primary key (kind, ref)
);
create index due_task_due on due_task (due_at);

do $$
declare
  t text;
begin
  foreach t in array array['account_export', 'account_import', 'stream_record', 'operation'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I using (org_id = app_org()) with check (org_id = app_org())', t || '_tenant', t);
    execute format('create index %I on %I (org_id)', t || '_org', t);
  end loop;
  foreach t in array array['share', 'due_task'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
  end loop;
end
$$;

create policy due_task_tenant on due_task
  using (org_id = app_org() or app_worker()) with check (org_id = app_org() or app_worker());

-- The exporter and the target see a share. `account` shows the own accounts only, so a public key matches for its owner alone.
create policy share_read on share for select
  using (org_id = app_org() or target_public_key in (select public_key from account where public_key is not null));
create policy share_make on share for insert with check (org_id = app_org());
create policy share_change on share for update
  using (org_id = app_org() or target_public_key in (select public_key from account where public_key is not null))
  with check (org_id = app_org() or target_public_key in (select public_key from account where public_key is not null));
create policy share_remove on share for delete using (org_id = app_org());

-- The target decides and nothing else: whatever an error in the application might try, the exporter's part stays.
create function share_guard() returns trigger language plpgsql as $$
begin
  if old.org_id is distinct from app_org() and (
      (new.id, new.org_id, new.account_id, new.export_id, new.target_public_key, new.target_account_id, new.expires_at, new.revoked_second,
       new.exporter_public_key, new.export_name, new.subject, new.type, new.description, new.response_type,
       new.account_token_position, new.token)
      is distinct from
      (old.id, old.org_id, old.account_id, old.export_id, old.target_public_key, old.target_account_id, old.expires_at, old.revoked_second,
       old.exporter_public_key, old.export_name, old.subject, old.type, old.description, old.response_type,
       old.account_token_position, old.token)
      or old.state = 'revoked' or new.state = 'revoked') then
    raise exception 'a share is changed by its exporter only';
  end if;
  return new;
end
$$;
create trigger share_guarded before update on share for each row execute function share_guard();

grant select, insert, update, delete on account_export, share, account_import, stream_record, operation, due_task to ${app_role};

-- Accounts of earlier versions get the settings above: another desired state, so another generation.
alter table account no force row level security;
alter table sync_task no force row level security;
update account set desired_generation = desired_generation + 1, sync_state = 'syncing', sync_since = now();
insert into sync_task (account_id, org_id, attempts, due_at) select id, org_id, 0, now() from account
  on conflict (account_id) do update set attempts = 0, due_at = excluded.due_at;
-- Issuances have an address of their own from now on.
alter table resource_locator no force row level security;
alter table issuance no force row level security;
insert into resource_locator (id, org_id, project_id)
  select i.id, i.org_id, a.project_id from issuance i join account a on a.id = i.account_id on conflict do nothing;
alter table issuance force row level security;
alter table resource_locator force row level security;
alter table account force row level security;
alter table sync_task force row level security;
