CREATE TABLE "chat_file" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"uploader_id" uuid NOT NULL,
	"seq" integer,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_file_tenant_id_file_id_pk" PRIMARY KEY("tenant_id","file_id"),
	CONSTRAINT "chat_file_position_range" CHECK ("chat_file"."position" >= 0)
);
--> statement-breakpoint
CREATE TABLE "chat_mention" (
	"tenant_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"member_id" uuid NOT NULL,
	CONSTRAINT "chat_mention_tenant_id_conversation_id_seq_member_id_pk" PRIMARY KEY("tenant_id","conversation_id","seq","member_id")
);
--> statement-breakpoint
CREATE TABLE "chat_reaction" (
	"tenant_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"member_id" uuid NOT NULL,
	"reaction" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_reaction_tenant_id_conversation_id_seq_member_id_reaction_pk" PRIMARY KEY("tenant_id","conversation_id","seq","member_id","reaction"),
	CONSTRAINT "chat_reaction_reaction_enum" CHECK ("chat_reaction"."reaction" in ('👍', '❤️', '👏', '😂', '🔥', '🎉'))
);
--> statement-breakpoint
CREATE TABLE "chat_vocabulary" (
	"tenant_id" uuid NOT NULL,
	"word" text NOT NULL,
	CONSTRAINT "chat_vocabulary_tenant_id_word_pk" PRIMARY KEY("tenant_id","word"),
	CONSTRAINT "chat_vocabulary_word_length" CHECK (char_length("chat_vocabulary"."word") <= 60)
);
--> statement-breakpoint
CREATE TABLE "chat_word" (
	"tenant_id" uuid NOT NULL,
	"word" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	CONSTRAINT "chat_word_tenant_id_word_sent_at_conversation_id_seq_pk" PRIMARY KEY("tenant_id","word","sent_at","conversation_id","seq"),
	CONSTRAINT "chat_word_word_length" CHECK (char_length("chat_word"."word") <= 60)
);
--> statement-breakpoint
ALTER TABLE "file" DROP CONSTRAINT "file_area_enum";--> statement-breakpoint
ALTER TABLE "upload" DROP CONSTRAINT "upload_area_enum";--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "mentions_all" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "forwarded_author_id" uuid;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "pinned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "attachment" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_file" ADD CONSTRAINT "chat_file_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_file" ADD CONSTRAINT "chat_file_conversation" FOREIGN KEY ("tenant_id","conversation_id") REFERENCES "public"."chat_conversation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_file" ADD CONSTRAINT "chat_file_message" FOREIGN KEY ("tenant_id","conversation_id","seq") REFERENCES "public"."chat_message"("tenant_id","conversation_id","seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_file" ADD CONSTRAINT "chat_file_uploader" FOREIGN KEY ("tenant_id","uploader_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_mention" ADD CONSTRAINT "chat_mention_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_mention" ADD CONSTRAINT "chat_mention_message" FOREIGN KEY ("tenant_id","conversation_id","seq") REFERENCES "public"."chat_message"("tenant_id","conversation_id","seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_mention" ADD CONSTRAINT "chat_mention_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_reaction" ADD CONSTRAINT "chat_reaction_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_reaction" ADD CONSTRAINT "chat_reaction_message" FOREIGN KEY ("tenant_id","conversation_id","seq") REFERENCES "public"."chat_message"("tenant_id","conversation_id","seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_reaction" ADD CONSTRAINT "chat_reaction_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_vocabulary" ADD CONSTRAINT "chat_vocabulary_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_word" ADD CONSTRAINT "chat_word_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_file_tenant_id_conversation_id_seq_index" ON "chat_file" USING btree ("tenant_id","conversation_id","seq");--> statement-breakpoint
CREATE INDEX "chat_file_tenant_id_uploader_id_index" ON "chat_file" USING btree ("tenant_id","uploader_id");--> statement-breakpoint
CREATE INDEX "chat_file_unsent" ON "chat_file" USING btree ("tenant_id","created_at") WHERE "chat_file"."seq" is null;--> statement-breakpoint
CREATE INDEX "chat_mention_tenant_id_member_id_conversation_id_seq_index" ON "chat_mention" USING btree ("tenant_id","member_id","conversation_id","seq");--> statement-breakpoint
CREATE INDEX "chat_reaction_tenant_id_member_id_index" ON "chat_reaction" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE INDEX "chat_vocabulary_prefix" ON "chat_vocabulary" USING btree ("tenant_id","word" text_pattern_ops);--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_forwarded_author" FOREIGN KEY ("tenant_id","forwarded_author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_message_forwarded" ON "chat_message" USING btree ("tenant_id","forwarded_author_id") WHERE "chat_message"."forwarded_author_id" is not null;--> statement-breakpoint
CREATE INDEX "chat_message_pinned" ON "chat_message" USING btree ("tenant_id","conversation_id","pinned_at") WHERE "chat_message"."pinned_at" is not null;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_attachment_enum" CHECK ("chat_message"."attachment" in ('none', 'file', 'voice'));--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_area_enum" CHECK ("file"."area" in ('storage', 'homework', 'quiz', 'chat'));--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_area_enum" CHECK ("upload"."area" in ('storage', 'homework', 'quiz', 'chat'));
--> statement-breakpoint
select isolate_tenants('chat_reaction');
--> statement-breakpoint
select isolate_tenants('chat_mention');
--> statement-breakpoint
select isolate_tenants('chat_file');
--> statement-breakpoint
select isolate_tenants('chat_word');
--> statement-breakpoint
select isolate_tenants('chat_vocabulary');
--> statement-breakpoint
-- The different words of a text without apostrophes, in ASCII letters (`ascii_letters`): "П’ять" is "p86t". The collation
-- decides what a letter is; the one of the database may not know Cyrillic letters.
create function search_words(value text) returns text[] language sql immutable strict parallel safe
  as $$ select array(select distinct left(ascii_letters(part), 40)
    from regexp_split_to_table(replace(search_text(value), '''', '') collate "und-x-icu", '[^[:alnum:]]+') part
    where part <> '' order by 1 limit 500) $$;
--> statement-breakpoint
-- What a message is found by; nothing when it was deleted.
create function words_of_message(message chat_message) returns text[] language sql immutable parallel safe
  as $$ select case when message.deleted_at is null then search_words(message.body) || ('from:' || message.author_id::text)
    || case when message.body ~ 'https?://' then array['has:link'] else '{}' end
    || case when message.attachment <> 'none' then array['has:' || message.attachment] else '{}' end else '{}' end $$;
--> statement-breakpoint
create function change_message_words(message chat_message, removed text[], added text[]) returns void language plpgsql as $$
begin
  if cardinality(removed) > 0 then
    delete from chat_word w where w.tenant_id = message.tenant_id and w.word = any(removed)
      and w.sent_at = message.created_at and w.conversation_id = message.conversation_id and w.seq = message.seq;
    delete from chat_vocabulary v where v.tenant_id = message.tenant_id and v.word = any(removed)
      and not exists (select 1 from chat_word w where w.tenant_id = v.tenant_id and w.word = v.word);
  end if;
  insert into chat_word (tenant_id, word, sent_at, conversation_id, seq)
    select message.tenant_id, word, message.created_at, message.conversation_id, message.seq from unnest(added) word
    on conflict do nothing;
  -- In one order everywhere, so that two messages with the same new words do not wait for each other.
  insert into chat_vocabulary (tenant_id, word)
    select message.tenant_id, a.word from unnest(added) a(word) where position(':' in a.word) = 0
      and not exists (select 1 from chat_vocabulary v where v.tenant_id = message.tenant_id and v.word = a.word)
    order by a.word on conflict do nothing;
end $$;
--> statement-breakpoint
create function index_chat_message() returns trigger language plpgsql as $$
declare
  words_before text[] := '{}';
  words_after text[] := '{}';
begin
  if is_restoring() then return null; end if;
  if tg_op <> 'INSERT' then words_before := words_of_message(old); end if;
  if tg_op = 'DELETE' then
    perform change_message_words(old, words_before, '{}');
    return null;
  end if;
  -- The key of its words contains the time of a message.
  if tg_op = 'UPDATE' and old.created_at <> new.created_at then
    perform change_message_words(old, words_before, '{}');
    words_before := '{}';
  end if;
  words_after := words_of_message(new);
  perform change_message_words(new, array(select unnest(words_before) except select unnest(words_after)),
    array(select unnest(words_after) except select unnest(words_before)));
  return null;
end $$;
--> statement-breakpoint
create trigger words_of_inserted_message after insert or delete on chat_message
  for each row execute function index_chat_message();
--> statement-breakpoint
create trigger words_of_changed_message after update of body, deleted_at, created_at on chat_message
  for each row execute function index_chat_message();
--> statement-breakpoint
select for_each_tenant($$ select change_message_words(m, '{}', words_of_message(m)) from chat_message m $$);
