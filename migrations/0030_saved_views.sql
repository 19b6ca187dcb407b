-- Filters of lists that people keep under a name.
create table saved_views (
  merchant_id integer not null,
  user_id integer not null,
  place text not null,
  name text not null,
  query text not null,
  is_shared boolean not null,
  is_default boolean not null,
  primary key (merchant_id, user_id, place, name)
);
