-- Tenancy: `app.org_id` and `app.user_id` are set at the begin of each transaction and end with it. Unset they are NULL,
-- every comparison is then NULL, and no row is seen or written. `app.worker` opens the two queues of background work only.

create function app_org() returns text language sql stable as $$ select nullif(current_setting('app.org_id', true), '') $$;
create function app_user_id() returns text language sql stable as $$ select nullif(current_setting('app.user_id', true), '') $$;
create function app_user_sub() returns text language sql stable as $$ select nullif(current_setting('app.user_sub', true), '') $$;
create function app_worker() returns boolean language sql stable as $$ select coalesce(current_setting('app.worker', true), '') = 'on' $$;

-- Before anyone is signed in there is no tenant: these two tables are found by unguessable keys alone.

create table signup (
  id                text primary key,
  email             text not null,
  organization_name text,
  directory_id      text,
  state             text not null check (state in ('preparing', 'pending', 'known', 'verified', 'superseded', 'failed')),
  code_hash         bytea,
  code_expires_at   timestamptz,
  code_tries        integer not null default 0,
  link_hash         bytea unique,
  link_expires_at   timestamptz not null,
  sent_count        integer not null default 0,
  last_sent_at      timestamptz not null,
  created_at        timestamptz not null
);
create index signup_email on signup (email, created_at);
create index signup_directory on signup (directory_id);

create table login_session (
  id_hash    bytea primary key,
  tokens     bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_session_expiry on login_session (expires_at);

create table app_user (
  id            text primary key,
  sub           text not null unique,
  email         text not null,
  name          text not null,
  created_at    timestamptz not null,
  last_login_at timestamptz not null
);

create table organization (
  id         text primary key,
  name       text not null,
  state      text not null check (state in ('active', 'suspended')),
  version    bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table membership (
  org_id     text not null references organization,
  user_id    text not null references app_user,
  role       text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null,
  primary key (org_id, user_id)
);
create index membership_user on membership (user_id);

-- Which organisation an id belongs to; a member sees the rows of the own organisations.
create table resource_locator (
  id     text primary key,
  org_id text not null references organization
);

create table project (
  id         text not null primary key,
  org_id     text not null references organization,
  name       text not null,
  version    bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, id),
  unique (org_id, name)
);

create table account (
  id                      text not null primary key,
  org_id                  text not null,
  project_id              text not null,
  name                    text not null,
  public_key              text,
  state                   text not null check (state in ('active', 'suspended', 'deleting')),
  limits                  text not null,
  desired_generation      bigint not null,
  observed_generation     bigint not null,
  sync_state              text not null check (sync_state in ('synced', 'syncing', 'failed')),
  sync_error              text,
  sync_since              timestamptz not null,
  onboarding_dismissed_at timestamptz,
  version                 bigint not null,
  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  unique (org_id, id),
  unique (org_id, project_id, name),
  foreign key (org_id, project_id) references project (org_id, id)
);

create table signing_key_group (
  id                  text not null primary key,
  org_id              text not null,
  account_id          text not null,
  name                text not null,
  description         text not null,
  template            text not null,
  public_key          text,
  key_version         bigint,
  desired_generation  bigint not null,
  observed_generation bigint not null,
  sync_state          text not null check (sync_state in ('synced', 'syncing', 'failed')),
  sync_error          text,
  sync_since          timestamptz not null,
  version             bigint not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  unique (org_id, id),
  unique (org_id, account_id, name),
  foreign key (org_id, account_id) references account (org_id, id)
);

create table broker_user (
  id         text not null primary key,
  org_id     text not null,
  account_id text not null,
  group_id   text not null,
  name       text not null,
  state      text not null check (state in ('active', 'revoked')),
  version    bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, id),
  unique (org_id, account_id, name),
  foreign key (org_id, account_id) references account (org_id, id),
  foreign key (org_id, group_id) references signing_key_group (org_id, id)
);

create table issuance (
  id                 text not null primary key,
  org_id             text not null,
  account_id         text not null,
  user_id            text not null,
  user_name          text not null,
  group_id           text not null,
  user_public_key    text,
  jti                text,
  state              text not null check (state in ('pending', 'issued', 'revoked', 'failed')),
  channel            text not null check (channel in ('console', 'api')),
  issued_by          text not null,
  issued_at          timestamptz not null,
  expires_at         timestamptz,
  revoked_at         timestamptz,
  first_connected_at timestamptz,
  last_connected_at  timestamptz,
  client_lang        text,
  client_version     text,
  client_ip          text,
  foreign key (org_id, user_id) references broker_user (org_id, id)
);
create index issuance_account on issuance (org_id, account_id, id);
create index issuance_user on issuance (org_id, user_id, id);

create table audit_event (
  id         text not null primary key,
  org_id     text not null references organization,
  seq        bigint not null,
  time       timestamptz not null,
  actor_kind text not null,
  actor_id   text not null,
  actor_name text not null,
  action     text not null,
  resource   text not null,
  result     text not null check (result in ('success', 'failure')),
  ip         text,
  user_agent text,
  request_id text,
  details    text not null,
  hash       text not null,
  unique (org_id, seq)
);
create index audit_event_time on audit_event (org_id, time);

create table idempotency_key (
  user_id      text not null,
  route        text not null,
  key          text not null,
  request_hash bytea not null,
  status       integer,
  body         text,
  etag         text,
  location     text,
  created_at   timestamptz not null,
  primary key (user_id, route, key)
);
create index idempotency_key_age on idempotency_key (created_at);

create table bootstrap (
  user_id    text primary key references app_user,
  org_id     text not null,
  project_id text not null,
  account_id text not null,
  group_id   text not null,
  org_name   text not null,
  state      text not null check (state in ('running', 'ready', 'failed')),
  steps      text not null,
  attempts   integer not null,
  due_at     timestamptz not null
);
create index bootstrap_due on bootstrap (due_at) where state <> 'ready';

-- Work for the reconciler: an account whose desired state the broker may not have yet.
create table sync_task (
  account_id text primary key,
  org_id     text not null,
  attempts   integer not null,
  due_at     timestamptz not null
);
create index sync_task_due on sync_task (due_at);

do $$
declare
  t text;
begin
  -- Tables of one organisation, all by the same rule.
  foreach t in array array['project', 'account', 'signing_key_group', 'broker_user', 'issuance', 'audit_event'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I using (org_id = app_org()) with check (org_id = app_org())', t || '_tenant', t);
    execute format('create index %I on %I (org_id)', t || '_org', t);
  end loop;
  foreach t in array array['app_user', 'organization', 'membership', 'resource_locator', 'idempotency_key', 'bootstrap', 'sync_task'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
  end loop;
end
$$;

create policy membership_tenant on membership
  using (user_id = app_user_id() or org_id = app_org()) with check (org_id = app_org());
create policy app_user_own on app_user
  using (id = app_user_id() or sub = app_user_sub() or id in (select user_id from membership where org_id = app_org()))
  with check (id = app_user_id() or sub = app_user_sub());
create policy organization_read on organization for select
  using (id = app_org() or id in (select org_id from membership where user_id = app_user_id()));
create policy organization_write on organization for all
  using (id = app_org()) with check (id = app_org());
create policy resource_locator_read on resource_locator for select
  using (org_id = app_org() or org_id in (select org_id from membership where user_id = app_user_id()));
create policy resource_locator_write on resource_locator for all
  using (org_id = app_org()) with check (org_id = app_org());
create policy idempotency_key_own on idempotency_key
  using (user_id = app_user_id() or app_worker()) with check (user_id = app_user_id());
create policy bootstrap_own on bootstrap
  using (user_id = app_user_id() or app_worker()) with check (user_id = app_user_id() or app_worker());
create policy sync_task_tenant on sync_task
  using (org_id = app_org() or app_worker()) with check (org_id = app_org() or app_worker());

grant usage on schema ${flyway:defaultSchema} to ${app_role};
grant select, insert, update, delete on
  signup, login_session, app_user, organization, membership, resource_locator, project, account, signing_key_group, broker_user,
  issuance, idempotency_key, bootstrap, sync_task to ${app_role};
-- Append-only: nobody who serves requests can change or remove what was written.
grant select, insert on audit_event to ${app_role};
