CREATE TABLE "inbox_item" (
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"assigned_to" uuid,
	"snoozed_at" timestamp with time zone,
	"snoozed_until" timestamp with time zone,
	CONSTRAINT "inbox_item_tenant_id_kind_key_pk" PRIMARY KEY("tenant_id","kind","key"),
	CONSTRAINT "inbox_item_kind_enum" CHECK ("inbox_item"."kind" in ('chat', 'lesson', 'thread', 'homework', 'test')),
	CONSTRAINT "inbox_item_key_length" CHECK (char_length("inbox_item"."key") <= 80)
);
--> statement-breakpoint
CREATE TABLE "inbox_setting" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"answer_hours" integer DEFAULT 24 NOT NULL,
	CONSTRAINT "inbox_setting_answer_hours_range" CHECK ("inbox_setting"."answer_hours" between 1 and 720)
);
--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD COLUMN "waiting_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "accepts_replies" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "homework_message" ADD COLUMN "answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "inbox_item" ADD CONSTRAINT "inbox_item_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_item" ADD CONSTRAINT "inbox_item_assigned_to" FOREIGN KEY ("tenant_id","assigned_to") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_setting" ADD CONSTRAINT "inbox_setting_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inbox_item_tenant_id_assigned_to_index" ON "inbox_item" USING btree ("tenant_id","assigned_to");--> statement-breakpoint
CREATE INDEX "chat_conversation_waiting" ON "chat_conversation" USING btree ("tenant_id","waiting_since") WHERE "chat_conversation"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "homework_message_waiting" ON "homework_message" USING btree ("tenant_id","task_id","student_id","at") WHERE answered_at is null and author_id = student_id;
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['inbox_item', 'inbox_setting']::regclass[]) t;
--> statement-breakpoint
select for_each_tenant($$
  update homework_message w set answered_at = (select min(a.at) from homework_message a where a.tenant_id = w.tenant_id
    and a.task_id = w.task_id and a.student_id = w.student_id and a.author_id <> a.student_id and a.at >= w.at)
  where w.author_id = w.student_id
$$);
--> statement-breakpoint
select for_each_tenant($$
  update chat_conversation c set waiting_since = (select min(w.created_at) from chat_message w
    join membership m on m.tenant_id = w.tenant_id and m.id = w.author_id and m.account_type = 'ACCOUNT_TYPE_STUDENT'
    where w.tenant_id = c.tenant_id and w.conversation_id = c.id and w.deleted_at is null
      and w.seq > coalesce((select max(s.seq) from chat_message s join membership t on t.tenant_id = s.tenant_id
        and t.id = s.author_id and t.account_type <> 'ACCOUNT_TYPE_STUDENT'
        where s.tenant_id = c.tenant_id and s.conversation_id = c.id and s.deleted_at is null), 0))
$$);
