-- A project's address is written before the project itself.
alter table resource_locator alter constraint resource_locator_project_id_fkey deferrable initially deferred;
