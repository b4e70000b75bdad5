-- People: a forgotten password, and the end of a person.

-- One row for each address that asked, found by a MAC of the address or by the hash of the link's secret.
create table password_reset (
  address_mac   text primary key,
  secret_hash   text not null unique,
  directory_id  text not null,
  sent_count    integer not null,
  first_sent_at timestamptz not null,
  last_sent_at  timestamptz not null,
  expires_at    timestamptz not null,
  used_at       timestamptz
);
alter table password_reset enable row level security;
alter table password_reset force row level security;
create policy password_reset_holder on password_reset
  using (app_secret_hash() in (address_mac, secret_hash)) with check (app_secret_hash() in (address_mac, secret_hash));

alter table app_user add column deleted_at timestamptz;
alter table organization drop constraint organization_state_check;
alter table organization add constraint organization_state_check check (state in ('active', 'suspended', 'closed'));

-- People who are gone: at the identity provider they are disabled at once and removed when this is due.
create table person_purge (
  user_id  text primary key references app_user,
  sub      text not null,
  purge_at timestamptz not null
);
create index person_purge_due on person_purge (purge_at);
alter table person_purge enable row level security;
alter table person_purge force row level security;
create policy person_purge_own on person_purge
  using (user_id = app_user_id() or app_worker()) with check (user_id = app_user_id() or app_worker());

grant select, insert, update, delete on password_reset, person_purge to ${app_role};
