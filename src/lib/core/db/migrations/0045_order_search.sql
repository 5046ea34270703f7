CREATE TABLE "order_word" (
	"tenant_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "order_word_tenant_id_order_id_word_pk" PRIMARY KEY("tenant_id","order_id","word"),
	CONSTRAINT "order_word_word_length" CHECK (char_length("order_word"."word") <= 80)
);
--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "sold_in_session_id" uuid;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "sold_by_button_id" uuid;--> statement-breakpoint
ALTER TABLE "order_word" ADD CONSTRAINT "order_word_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_word" ADD CONSTRAINT "order_word_order" FOREIGN KEY ("tenant_id","order_id") REFERENCES "public"."sales_order"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_word_tenant_id_word_order_id_index" ON "order_word" USING btree ("tenant_id","word","order_id");--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_sold_in_session_id_index" ON "sales_order" USING btree ("tenant_id","sold_in_session_id") WHERE "sales_order"."sold_in_session_id" is not null;
--> statement-breakpoint
select isolate_tenants('order_word');
--> statement-breakpoint
-- ---------------------------------------------------------------- Words of buyers
-- Row-level security permits no index with `like`; a comparison of the beginnings of words is permitted.
create function order_words(buyer_name text, email text) returns setof text language sql immutable strict as $$
  select distinct left(word, 80)
    from regexp_split_to_table(search_text(buyer_name || ' ' || email), '[\s@.,;:/()+"«»_-]+') word where word <> '' $$;
--> statement-breakpoint
create function store_order_words() returns trigger language plpgsql as $$
begin
  if is_restoring() then return null; end if;
  if tg_op = 'UPDATE' then delete from order_word where tenant_id = new.tenant_id and order_id = new.id; end if;
  insert into order_word (tenant_id, order_id, word)
    select new.tenant_id, new.id, word from order_words(new.buyer_name, new.email) word;
  return null;
end $$;
--> statement-breakpoint
create trigger order_words_of_order after insert on sales_order for each row execute function store_order_words();
--> statement-breakpoint
create trigger order_words_of_changed_order after update on sales_order for each row
  when ((old.buyer_name, old.email) is distinct from (new.buyer_name, new.email)) execute function store_order_words();
--> statement-breakpoint
select for_each_tenant($$ insert into order_word (tenant_id, order_id, word)
  select o.tenant_id, o.id, word from sales_order o, order_words(o.buyer_name, o.email) word $$);
