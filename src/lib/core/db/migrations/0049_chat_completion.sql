CREATE TABLE "chat_export" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"conversation_id" uuid,
	"state" text DEFAULT 'queued' NOT NULL,
	"message_count" integer,
	"size" bigint,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "chat_export_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "chat_export_state_enum" CHECK ("chat_export"."state" in ('queued', 'ready', 'failed', 'removed')),
	CONSTRAINT "chat_export_message_count_range" CHECK ("chat_export"."message_count" >= 0),
	CONSTRAINT "chat_export_size_range" CHECK ("chat_export"."size" >= 0)
);
--> statement-breakpoint
CREATE TABLE "chat_ban" (
	"tenant_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"banned_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_ban_tenant_id_conversation_id_member_id_pk" PRIMARY KEY("tenant_id","conversation_id","member_id")
);
--> statement-breakpoint
CREATE TABLE "chat_report" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"author_id" uuid NOT NULL,
	"reporter_id" uuid NOT NULL,
	"body" text NOT NULL,
	"reason" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	"resolved_by" uuid,
	"outcome" text,
	CONSTRAINT "chat_report_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "chat_report_tenantId_conversationId_seq_reporterId_unique" UNIQUE("tenant_id","conversation_id","seq","reporter_id"),
	CONSTRAINT "chat_report_reason_enum" CHECK ("chat_report"."reason" in ('spam', 'insult', 'harm', 'other')),
	CONSTRAINT "chat_report_outcome_enum" CHECK ("chat_report"."outcome" in ('dismissed', 'deleted', 'banned')),
	CONSTRAINT "chat_report_seq_range" CHECK ("chat_report"."seq" >= 1),
	CONSTRAINT "chat_report_body_length" CHECK (char_length("chat_report"."body") <= 4000),
	CONSTRAINT "chat_report_note_length" CHECK (char_length("chat_report"."note") <= 500)
);
--> statement-breakpoint
CREATE TABLE "chat_presence" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"shares_presence" boolean DEFAULT true NOT NULL,
	"shares_reading" boolean DEFAULT true NOT NULL,
	"seen_at" timestamp with time zone,
	CONSTRAINT "chat_presence_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id")
);
--> statement-breakpoint
CREATE TABLE "chat_scheduled_message" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"body" text NOT NULL,
	"mentions" uuid[] DEFAULT '{}' NOT NULL,
	"reply_to_seq" integer,
	"send_at" timestamp with time zone NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_scheduled_message_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "chat_scheduled_message_failure_enum" CHECK ("chat_scheduled_message"."failure" in ('forbidden', 'plan_inactive')),
	CONSTRAINT "chat_scheduled_message_body_length" CHECK (char_length("chat_scheduled_message"."body") <= 4000)
);
--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD COLUMN "first_seq" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_member" ADD COLUMN "archived_seq" integer;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "thread_seq" integer;--> statement-breakpoint
ALTER TABLE "chat_setting" ADD COLUMN "retention_days" integer;--> statement-breakpoint
ALTER TABLE "chat_export" ADD CONSTRAINT "chat_export_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_export" ADD CONSTRAINT "chat_export_requested_by" FOREIGN KEY ("tenant_id","requested_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_export" ADD CONSTRAINT "chat_export_conversation" FOREIGN KEY ("tenant_id","conversation_id") REFERENCES "public"."chat_conversation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_ban" ADD CONSTRAINT "chat_ban_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_ban" ADD CONSTRAINT "chat_ban_conversation" FOREIGN KEY ("tenant_id","conversation_id") REFERENCES "public"."chat_conversation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_ban" ADD CONSTRAINT "chat_ban_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_ban" ADD CONSTRAINT "chat_ban_banned_by" FOREIGN KEY ("tenant_id","banned_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_report" ADD CONSTRAINT "chat_report_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_report" ADD CONSTRAINT "chat_report_conversation" FOREIGN KEY ("tenant_id","conversation_id") REFERENCES "public"."chat_conversation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_report" ADD CONSTRAINT "chat_report_author" FOREIGN KEY ("tenant_id","author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_report" ADD CONSTRAINT "chat_report_reporter" FOREIGN KEY ("tenant_id","reporter_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_report" ADD CONSTRAINT "chat_report_resolved_by" FOREIGN KEY ("tenant_id","resolved_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_presence" ADD CONSTRAINT "chat_presence_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_presence" ADD CONSTRAINT "chat_presence_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_scheduled_message" ADD CONSTRAINT "chat_scheduled_message_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_scheduled_message" ADD CONSTRAINT "chat_scheduled_message_conversation" FOREIGN KEY ("tenant_id","conversation_id") REFERENCES "public"."chat_conversation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_scheduled_message" ADD CONSTRAINT "chat_scheduled_message_author" FOREIGN KEY ("tenant_id","author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_export_tenant_id_requested_at_index" ON "chat_export" USING btree ("tenant_id","requested_at");--> statement-breakpoint
CREATE INDEX "chat_export_tenant_id_requested_by_index" ON "chat_export" USING btree ("tenant_id","requested_by");--> statement-breakpoint
CREATE INDEX "chat_export_tenant_id_conversation_id_index" ON "chat_export" USING btree ("tenant_id","conversation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_export_queued" ON "chat_export" USING btree ("tenant_id") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "chat_ban_tenant_id_member_id_index" ON "chat_ban" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE INDEX "chat_ban_tenant_id_banned_by_index" ON "chat_ban" USING btree ("tenant_id","banned_by");--> statement-breakpoint
CREATE INDEX "chat_report_open" ON "chat_report" USING btree ("tenant_id","created_at","id") WHERE "chat_report"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "chat_report_tenant_id_author_id_index" ON "chat_report" USING btree ("tenant_id","author_id");--> statement-breakpoint
CREATE INDEX "chat_report_tenant_id_reporter_id_index" ON "chat_report" USING btree ("tenant_id","reporter_id");--> statement-breakpoint
CREATE INDEX "chat_report_tenant_id_resolved_by_index" ON "chat_report" USING btree ("tenant_id","resolved_by");--> statement-breakpoint
CREATE INDEX "chat_scheduled_message_own" ON "chat_scheduled_message" USING btree ("tenant_id","author_id","conversation_id");--> statement-breakpoint
CREATE INDEX "chat_scheduled_message_tenant_id_conversation_id_index" ON "chat_scheduled_message" USING btree ("tenant_id","conversation_id");--> statement-breakpoint
CREATE INDEX "chat_message_thread" ON "chat_message" USING btree ("tenant_id","conversation_id","thread_seq","seq") WHERE "chat_message"."thread_seq" is not null;--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD CONSTRAINT "chat_conversation_first_seq_range" CHECK ("chat_conversation"."first_seq" >= 1);--> statement-breakpoint
ALTER TABLE "chat_member" ADD CONSTRAINT "chat_member_archived_seq_range" CHECK ("chat_member"."archived_seq" >= 0);--> statement-breakpoint
ALTER TABLE "chat_setting" ADD CONSTRAINT "chat_setting_retention_days_range" CHECK ("chat_setting"."retention_days" between 30 and 3650);
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['chat_export', 'chat_ban', 'chat_report', 'chat_presence', 'chat_scheduled_message']::regclass[]) t;
--> statement-breakpoint
select for_each_tenant($$
  update chat_message m set thread_seq = r.root from (
    with recursive chain as (
      select conversation_id, seq, seq as root from chat_message where reply_to_seq is null
      union all select n.conversation_id, n.seq, c.root from chat_message n
        join chain c on c.conversation_id = n.conversation_id and c.seq = n.reply_to_seq)
    select conversation_id, seq, root from chain where seq <> root) r
  where m.conversation_id = r.conversation_id and m.seq = r.seq
$$);
