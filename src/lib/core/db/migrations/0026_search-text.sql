-- What two texts have in common for a search: no capital letters, one kind of apostrophe.
create extension if not exists pg_trgm;--> statement-breakpoint
create function search_text(value text) returns text language sql immutable strict parallel safe
  as $$ select translate(lower(value collate "und-x-icu"), '’ʼ‘´`′', '''''''''''''') $$;--> statement-breakpoint
create index user_search on "user" using gin (search_text(first_name || ' ' || last_name || ' ' || email) gin_trgm_ops);
