CREATE TABLE "chat_conversation" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_key" text NOT NULL,
	"course_id" uuid,
	"group_id" uuid,
	"lesson_id" uuid,
	"title" text DEFAULT '' NOT NULL,
	"post_policy" text DEFAULT 'all' NOT NULL,
	"created_by" uuid NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"active_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_conversation_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "chat_conversation_tenantId_kind_subjectKey_unique" UNIQUE("tenant_id","kind","subject_key"),
	CONSTRAINT "chat_conversation_kind_enum" CHECK ("chat_conversation"."kind" in ('direct', 'course', 'group', 'lesson', 'support', 'team')),
	CONSTRAINT "chat_conversation_post_policy_enum" CHECK ("chat_conversation"."post_policy" in ('all', 'staff')),
	CONSTRAINT "chat_conversation_last_seq_range" CHECK ("chat_conversation"."last_seq" >= 0),
	CONSTRAINT "chat_conversation_title_length" CHECK (char_length("chat_conversation"."title") <= 120),
	CONSTRAINT "chat_conversation_subject_key_length" CHECK (char_length("chat_conversation"."subject_key") <= 80)
);
--> statement-breakpoint
CREATE TABLE "chat_member" (
	"tenant_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"is_participant" boolean DEFAULT false NOT NULL,
	"read_seq" integer DEFAULT 0 NOT NULL,
	"joined_at" timestamp with time zone DEFAULT now() NOT NULL,
	"left_at" timestamp with time zone,
	CONSTRAINT "chat_member_tenant_id_conversation_id_member_id_pk" PRIMARY KEY("tenant_id","conversation_id","member_id"),
	CONSTRAINT "chat_member_read_seq_range" CHECK ("chat_member"."read_seq" >= 0)
);
--> statement-breakpoint
CREATE TABLE "chat_message" (
	"tenant_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"body" text NOT NULL,
	"reply_to_seq" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "chat_message_tenant_id_conversation_id_seq_pk" PRIMARY KEY("tenant_id","conversation_id","seq"),
	CONSTRAINT "chat_message_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "chat_message_seq_range" CHECK ("chat_message"."seq" >= 1),
	CONSTRAINT "chat_message_body_length" CHECK (char_length("chat_message"."body") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "chat_message_edit" (
	"tenant_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"edited_at" timestamp with time zone DEFAULT now() NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "chat_message_edit_tenant_id_conversation_id_seq_edited_at_pk" PRIMARY KEY("tenant_id","conversation_id","seq","edited_at"),
	CONSTRAINT "chat_message_edit_body_length" CHECK (char_length("chat_message_edit"."body") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "chat_setting" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"contact_policy" text DEFAULT 'assigned' NOT NULL,
	CONSTRAINT "chat_setting_contact_policy_enum" CHECK ("chat_setting"."contact_policy" in ('assigned', 'staff', 'everyone'))
);
--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD CONSTRAINT "chat_conversation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD CONSTRAINT "chat_conversation_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD CONSTRAINT "chat_conversation_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD CONSTRAINT "chat_conversation_lesson" FOREIGN KEY ("tenant_id","lesson_id") REFERENCES "public"."lesson"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_conversation" ADD CONSTRAINT "chat_conversation_created_by" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_member" ADD CONSTRAINT "chat_member_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_member" ADD CONSTRAINT "chat_member_conversation" FOREIGN KEY ("tenant_id","conversation_id") REFERENCES "public"."chat_conversation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_member" ADD CONSTRAINT "chat_member_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_conversation" FOREIGN KEY ("tenant_id","conversation_id") REFERENCES "public"."chat_conversation"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_author" FOREIGN KEY ("tenant_id","author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_reply" FOREIGN KEY ("tenant_id","conversation_id","reply_to_seq") REFERENCES "public"."chat_message"("tenant_id","conversation_id","seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message_edit" ADD CONSTRAINT "chat_message_edit_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message_edit" ADD CONSTRAINT "chat_message_edit_message" FOREIGN KEY ("tenant_id","conversation_id","seq") REFERENCES "public"."chat_message"("tenant_id","conversation_id","seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_setting" ADD CONSTRAINT "chat_setting_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_conversation_tenant_id_active_at_id_index" ON "chat_conversation" USING btree ("tenant_id","active_at","id");--> statement-breakpoint
CREATE INDEX "chat_conversation_tenant_id_course_id_kind_index" ON "chat_conversation" USING btree ("tenant_id","course_id","kind") WHERE "chat_conversation"."course_id" is not null;--> statement-breakpoint
CREATE INDEX "chat_conversation_tenant_id_group_id_index" ON "chat_conversation" USING btree ("tenant_id","group_id") WHERE "chat_conversation"."group_id" is not null;--> statement-breakpoint
CREATE INDEX "chat_conversation_tenant_id_lesson_id_index" ON "chat_conversation" USING btree ("tenant_id","lesson_id") WHERE "chat_conversation"."lesson_id" is not null;--> statement-breakpoint
CREATE INDEX "chat_conversation_tenant_id_created_by_index" ON "chat_conversation" USING btree ("tenant_id","created_by");--> statement-breakpoint
CREATE INDEX "chat_member_tenant_id_member_id_conversation_id_index" ON "chat_member" USING btree ("tenant_id","member_id","conversation_id");--> statement-breakpoint
CREATE INDEX "chat_message_tenant_id_author_id_index" ON "chat_message" USING btree ("tenant_id","author_id");--> statement-breakpoint
CREATE INDEX "chat_message_replies" ON "chat_message" USING btree ("tenant_id","conversation_id","reply_to_seq") WHERE reply_to_seq is not null;
--> statement-breakpoint
select isolate_tenants('chat_conversation');
--> statement-breakpoint
select isolate_tenants('chat_member');
--> statement-breakpoint
select isolate_tenants('chat_message');
--> statement-breakpoint
select isolate_tenants('chat_message_edit');
--> statement-breakpoint
select isolate_tenants('chat_setting');
