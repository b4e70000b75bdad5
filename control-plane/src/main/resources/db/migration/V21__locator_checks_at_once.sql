-- The next migration fills resource_locator and then alters it, which deferred checks would forbid. V23 defers them again.
alter table resource_locator alter constraint resource_locator_project_id_fkey not deferrable;
