-- Run once by a superuser, before the first start, on the database of the control plane (psql -v owner_password=… -v app_password=…).
-- control_plane_owner owns the schema and runs migrations; control_plane_app serves requests and is bound by row-level security.
create role control_plane_owner login password :'owner_password' nosuperuser nobypassrls nocreatedb nocreaterole;
create role control_plane_app login password :'app_password' nosuperuser nobypassrls nocreatedb nocreaterole;
create schema control_plane authorization control_plane_owner;
alter role control_plane_owner set search_path = control_plane;
alter role control_plane_app set search_path = control_plane;
alter role control_plane_app set statement_timeout = '10s';
alter role control_plane_app set lock_timeout = '5s';
alter role control_plane_app set idle_in_transaction_session_timeout = '15s';
