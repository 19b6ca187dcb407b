-- Columns by the words that the program uses for them.
alter table page_sessions rename column wish to terms;
alter table checkouts rename column wish to terms;
alter table sandbox_orders rename column news_due_at to notify_at;
alter index sandbox_news rename to sandbox_orders_to_notify;
