-- Sandbox: callbacks of this merchant are taken as answered with 500, and nobody is called. So a
-- developer sees what becomes of callbacks while a receiver is broken, without breaking one.
alter table merchants add column receiver_fails boolean not null default false;
