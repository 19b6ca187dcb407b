-- Older nodes go on: their customers see the merchant's name and the usual colours.
--
-- How a merchant looks to its customers. What is null is as it is without branding.
create table branding (
  merchant_id integer primary key references merchants,
  display_name text,
  -- For light and for dark screens; of each, the contrast was checked.
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  accent_dark text check (accent_dark ~ '^#[0-9a-f]{6}$'),
  -- A phone number, an e-mail or an https address.
  support text,
  language text check (language in ('en', 'fr')),
  logo bytea check (octet_length(logo) <= 4096),
  logo_type text check (logo_type in ('image/svg+xml', 'image/png')),
  -- Names the picture in its address, so that browsers may keep it for good.
  logo_hash text,
  logo_width integer,
  logo_height integer,
  check ((logo is null) = (logo_hash is null) and (logo is null) = (logo_type is null))
);

create index branding_logos on branding (logo_hash) where logo_hash is not null;
