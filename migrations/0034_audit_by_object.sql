-- Older nodes go on: they look through the entries of the action, as before.
-- Who did it: pages of payments ask for the entries about one object. Of long texts, the beginning is
-- enough to find the few that share it, and no text is too long for the index.
create index audit_entries_by_object on audit_entries (merchant_id, left(object, 60), action, number);
