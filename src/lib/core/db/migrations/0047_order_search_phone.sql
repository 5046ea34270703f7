-- Orders are found by the phone of the buyer and by the recipient of a gift too. A phone is compared by its last nine digits,
-- however its country code is written.
create function order_words(buyer_name text, email text, phone text, recipient_name text, recipient_email text)
  returns setof text language sql immutable as $$
  select distinct left(word, 80)
    from regexp_split_to_table(search_text(concat_ws(' ', buyer_name, email, right(regexp_replace(phone, '\D', '', 'g'), 9),
      recipient_name, recipient_email)), '[\s@.,;:/()+"«»_-]+') word where word <> '' $$;
--> statement-breakpoint
create or replace function store_order_words() returns trigger language plpgsql as $$
begin
  if is_restoring() then return null; end if;
  if tg_op = 'UPDATE' then delete from order_word where tenant_id = new.tenant_id and order_id = new.id; end if;
  insert into order_word (tenant_id, order_id, word)
    select new.tenant_id, new.id, word
      from order_words(new.buyer_name, new.email, new.phone, new.recipient_name, new.recipient_email) word;
  return null;
end $$;
--> statement-breakpoint
drop trigger order_words_of_changed_order on sales_order;
--> statement-breakpoint
create trigger order_words_of_changed_order after update on sales_order for each row
  when ((old.buyer_name, old.email, old.phone, old.recipient_name, old.recipient_email) is distinct from
    (new.buyer_name, new.email, new.phone, new.recipient_name, new.recipient_email)) execute function store_order_words();
--> statement-breakpoint
drop function order_words(text, text);
--> statement-breakpoint
select for_each_tenant($$ insert into order_word (tenant_id, order_id, word)
  select o.tenant_id, o.id, word
    from sales_order o, order_words(o.buyer_name, o.email, o.phone, o.recipient_name, o.recipient_email) word
    where o.phone <> '' or o.recipient_email is not null
  on conflict do nothing $$);
