-- What the nodes' connect events say about the client that used a token last.
alter table issuance add column client_lang varchar(64);
alter table issuance add column client_version varchar(64);
alter table issuance add column client_ip varchar(64);
