-- Older nodes go on: they take identifiers of version 4 only, and mask every statement.
-- Clients that derive their identifiers, so that a repeat has the same one, use other versions.
alter table merchants add column any_uuid boolean not null default false;

-- Whether the file shows values that are marked as personal: its token had the scope for it.
alter table statements add column shows_pii boolean not null default false;
