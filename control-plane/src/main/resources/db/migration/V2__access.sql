-- Roles, invitations, service accounts and API tokens. `app.secret_hash` opens the one row whose secret the caller presented.

create function app_secret_hash() returns text language sql stable as $$ select nullif(current_setting('app.secret_hash', true), '') $$;

-- What somebody may do: in the whole organisation, or in one project of it.
create table role_assignment (
  id             text primary key,
  org_id         text not null references organization,
  principal_kind text not null check (principal_kind in ('user', 'service_account')),
  principal_id   text not null,
  role           text not null check (role in ('owner', 'admin', 'developer', 'viewer', 'billing')),
  project_id     text,
  created_at     timestamptz not null,
  created_by     text not null,
  foreign key (org_id, project_id) references project (org_id, id) on delete cascade
);
create unique index role_assignment_once on role_assignment (org_id, principal_id, role, coalesce(project_id, ''));
create index role_assignment_principal on role_assignment (principal_id);

create table service_account (
  id          text primary key,
  org_id      text not null references organization,
  project_id  text,
  name        text not null,
  description text not null,
  disabled    boolean not null,
  version     bigint not null,
  created_at  timestamptz not null,
  created_by  text not null,
  updated_at  timestamptz not null,
  unique (org_id, name),
  foreign key (org_id, project_id) references project (org_id, id)
);

-- `scopes`, `project_ids` and `cidrs` are lists with blanks between.
create table api_token (
  id              text primary key,
  org_id          text not null references organization,
  owner_kind      text not null check (owner_kind in ('user', 'service_account')),
  owner_id        text not null,
  name            text not null,
  prefix          text not null,
  scopes          text not null,
  project_ids     text not null,
  cidrs           text not null,
  life_seconds    bigint not null,
  expires_at      timestamptz not null,
  disabled        boolean not null,
  revoked_at      timestamptz,
  last_used_at    timestamptz,
  last_used_ip    text,
  last_used_agent text,
  version         bigint not null,
  created_at      timestamptz not null,
  created_by      text not null,
  updated_at      timestamptz not null,
  unique (org_id, id)
);
create unique index api_token_name on api_token (org_id, owner_id, name) where revoked_at is null;

-- A token has one secret, and two while a rotation overlaps. Only SHA-256 of a secret is here.
create table api_token_secret (
  secret_hash text primary key,
  org_id      text not null,
  token_id    text not null,
  created_at  timestamptz not null,
  valid_until timestamptz,
  foreign key (org_id, token_id) references api_token (org_id, id) on delete cascade
);
create index api_token_secret_token on api_token_secret (token_id);

create table invitation (
  id           text primary key,
  org_id       text not null references organization,
  email        text not null,
  role         text not null check (role in ('owner', 'admin', 'developer', 'viewer', 'billing')),
  project_id   text,
  state        text not null check (state in ('pending', 'accepted', 'revoked')),
  secret_hash  text not null unique,
  inviter_id   text not null,
  inviter_name text not null,
  sent_count   integer not null,
  last_sent_at timestamptz not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  accepted_at  timestamptz,
  accepted_by  text,
  version      bigint not null,
  foreign key (org_id, project_id) references project (org_id, id) on delete cascade
);
create unique index invitation_pending on invitation (org_id, email, role, coalesce(project_id, '')) where state = 'pending';

alter table audit_event add column token_id text;

-- Ids know their project, for roles and tokens that hold in one project only. What is there already gets it here; the owner is
-- bound by row-level security too, so it is lifted for these statements.
alter table resource_locator add column project_id text;
alter table resource_locator no force row level security;
alter table membership no force row level security;
alter table project no force row level security;
alter table account no force row level security;
alter table signing_key_group no force row level security;
alter table broker_user no force row level security;
update resource_locator r set project_id = p.id from project p where p.id = r.id;
update resource_locator r set project_id = a.project_id from account a where a.id = r.id;
update resource_locator r set project_id = a.project_id from signing_key_group g join account a on a.id = g.account_id where g.id = r.id;
update resource_locator r set project_id = a.project_id from broker_user u join account a on a.id = u.account_id where u.id = r.id;
insert into role_assignment (id, org_id, principal_kind, principal_id, role, created_at, created_by)
  select 'ra_' || substr(upper(md5(org_id || ' ' || user_id)), 1, 26), org_id, 'user', user_id, role, created_at, 'system' from membership;
insert into resource_locator (id, org_id) select id, org_id from role_assignment;
alter table membership drop column role;
alter table resource_locator force row level security;
alter table membership force row level security;
alter table project force row level security;
alter table account force row level security;
alter table signing_key_group force row level security;
alter table broker_user force row level security;
alter table resource_locator add foreign key (project_id) references project on delete cascade deferrable initially deferred;
create index resource_locator_project on resource_locator (project_id);

do $$
declare
  t text;
begin
  foreach t in array array['role_assignment', 'service_account', 'api_token', 'api_token_secret', 'invitation'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create index %I on %I (org_id)', t || '_org', t);
  end loop;
end
$$;

-- A principal sees the own rows of all its organisations, and writes in that of the transaction only.
create policy role_assignment_tenant on role_assignment
  using (org_id = app_org() or principal_id = app_user_id()) with check (org_id = app_org());
create policy service_account_tenant on service_account
  using (org_id = app_org() or id = app_user_id()) with check (org_id = app_org());
create policy api_token_tenant on api_token
  using (org_id = app_org() or owner_id = app_user_id()) with check (org_id = app_org());
create policy api_token_secret_tenant on api_token_secret
  using (org_id = app_org() or secret_hash = app_secret_hash()) with check (org_id = app_org());
create policy invitation_tenant on invitation
  using (org_id = app_org() or secret_hash = app_secret_hash()) with check (org_id = app_org());

drop policy organization_read on organization;
create policy organization_read on organization for select
  using (id = app_org()
    or id in (select org_id from membership where user_id = app_user_id())
    or id in (select org_id from service_account where id = app_user_id()));
drop policy resource_locator_read on resource_locator;
create policy resource_locator_read on resource_locator for select
  using (org_id = app_org()
    or org_id in (select org_id from membership where user_id = app_user_id())
    or org_id in (select org_id from service_account where id = app_user_id()));

grant select, insert, update, delete on role_assignment, service_account, api_token, api_token_secret, invitation to ${app_role};
