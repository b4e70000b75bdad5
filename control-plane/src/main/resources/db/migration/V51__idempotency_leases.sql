-- A call that runs for a key holds a lease and renews it; one whose process died is gone on with by the next call of that key.
alter table idempotency_key add column lease_until timestamptz not null default now();
-- Which run of the key it is: an earlier one that comes back late may not write its answer.
alter table idempotency_key add column attempt integer not null default 1;
