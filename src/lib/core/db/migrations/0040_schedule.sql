CREATE TABLE "group_shift" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"days" integer NOT NULL,
	"effect" jsonb NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "group_shift_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "group_shift_days_range" CHECK ("group_shift"."days" between -365 and 365)
);
--> statement-breakpoint
CREATE TABLE "schedule_feed_item" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"key" text NOT NULL,
	"title" text NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"end_at" timestamp with time zone,
	"sequence" integer NOT NULL,
	"canceled_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedule_feed_item_tenant_id_member_id_key_pk" PRIMARY KEY("tenant_id","member_id","key"),
	CONSTRAINT "schedule_feed_item_sequence_range" CHECK ("schedule_feed_item"."sequence" >= 0),
	CONSTRAINT "schedule_feed_item_key_length" CHECK (char_length("schedule_feed_item"."key") <= 200),
	CONSTRAINT "schedule_feed_item_title_length" CHECK (char_length("schedule_feed_item"."title") <= 300)
);
--> statement-breakpoint
CREATE TABLE "schedule_note" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"title" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"minutes" integer,
	"sequence" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "schedule_note_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "schedule_note_sequence_range" CHECK ("schedule_note"."sequence" >= 0),
	CONSTRAINT "schedule_note_version_range" CHECK ("schedule_note"."version" >= 1),
	CONSTRAINT "schedule_note_minutes_range" CHECK ("schedule_note"."minutes" between 5 and 1440),
	CONSTRAINT "schedule_note_title_length" CHECK (char_length("schedule_note"."title") <= 200),
	CONSTRAINT "schedule_note_text_length" CHECK (char_length("schedule_note"."text") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "schedule_reader" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"second_zone" text,
	"feed_digest" "bytea",
	"feed_created_at" timestamp with time zone,
	"feed_etag" text,
	"feed_read_at" timestamp with time zone,
	CONSTRAINT "schedule_reader_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id"),
	CONSTRAINT "schedule_reader_second_zone_length" CHECK (char_length("schedule_reader"."second_zone") <= 64),
	CONSTRAINT "schedule_reader_feed_etag_length" CHECK (char_length("schedule_reader"."feed_etag") <= 64)
);
--> statement-breakpoint
ALTER TABLE "group_shift" ADD CONSTRAINT "group_shift_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_shift" ADD CONSTRAINT "group_shift_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_shift" ADD CONSTRAINT "group_shift_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_feed_item" ADD CONSTRAINT "schedule_feed_item_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_feed_item" ADD CONSTRAINT "schedule_feed_item_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_note" ADD CONSTRAINT "schedule_note_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_note" ADD CONSTRAINT "schedule_note_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_reader" ADD CONSTRAINT "schedule_reader_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_reader" ADD CONSTRAINT "schedule_reader_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_shift_tenant_id_group_id_at_index" ON "group_shift" USING btree ("tenant_id","group_id","at");--> statement-breakpoint
CREATE INDEX "group_shift_tenant_id_by_index" ON "group_shift" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "schedule_note_tenant_id_member_id_start_at_id_index" ON "schedule_note" USING btree ("tenant_id","member_id","start_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_reader_feed" ON "schedule_reader" USING btree ("tenant_id","feed_digest") WHERE feed_digest is not null;--> statement-breakpoint
select isolate_tenants(t) from unnest(array['schedule_note', 'schedule_reader', 'schedule_feed_item', 'group_shift']::regclass[]) t;
