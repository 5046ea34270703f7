CREATE TABLE "notification_delivery" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"frequency" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"link" text NOT NULL,
	"group_key" text,
	"count" integer DEFAULT 1 NOT NULL,
	"notification_id" uuid,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"received_by" uuid[] DEFAULT '{}' NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "notification_delivery_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "notification_delivery_channel_enum" CHECK ("notification_delivery"."channel" in ('email', 'push', 'telegram')),
	CONSTRAINT "notification_delivery_frequency_enum" CHECK ("notification_delivery"."frequency" in ('immediate', 'hourly', 'daily', 'weekly')),
	CONSTRAINT "notification_delivery_state_enum" CHECK ("notification_delivery"."state" in ('waiting', 'sent', 'skipped', 'failed')),
	CONSTRAINT "notification_delivery_attempts_range" CHECK ("notification_delivery"."attempts" >= 0),
	CONSTRAINT "notification_delivery_count_range" CHECK ("notification_delivery"."count" >= 1),
	CONSTRAINT "notification_delivery_link_length" CHECK (char_length("notification_delivery"."link") <= 500),
	CONSTRAINT "notification_delivery_key_length" CHECK (char_length("notification_delivery"."key") <= 200),
	CONSTRAINT "notification_delivery_group_key_length" CHECK (char_length("notification_delivery"."group_key") <= 200)
);
--> statement-breakpoint
CREATE TABLE "push_subscription" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_sent_at" timestamp with time zone,
	CONSTRAINT "push_subscription_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "push_subscription_endpoint_length" CHECK (char_length("push_subscription"."endpoint") <= 1000),
	CONSTRAINT "push_subscription_p256dh_length" CHECK (char_length("push_subscription"."p256dh") <= 100),
	CONSTRAINT "push_subscription_auth_length" CHECK (char_length("push_subscription"."auth") <= 40),
	CONSTRAINT "push_subscription_user_agent_length" CHECK (char_length("push_subscription"."user_agent") <= 300)
);
--> statement-breakpoint
CREATE TABLE "notification_email_count" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"day" text NOT NULL,
	"count" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_email_count_tenant_id_member_id_day_pk" PRIMARY KEY("tenant_id","member_id","day"),
	CONSTRAINT "notification_email_count_count_range" CHECK ("notification_email_count"."count" >= 0),
	CONSTRAINT "notification_email_count_day_length" CHECK (char_length("notification_email_count"."day") <= 10)
);
--> statement-breakpoint
CREATE TABLE "notification_mute" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_mute_tenant_id_member_id_subject_type_subject_id_pk" PRIMARY KEY("tenant_id","member_id","subject_type","subject_id"),
	CONSTRAINT "notification_mute_subject_type_enum" CHECK ("notification_mute"."subject_type" in ('course', 'group', 'conversation'))
);
--> statement-breakpoint
CREATE TABLE "notification_preference" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"topic" text NOT NULL,
	"channel" text NOT NULL,
	"frequency" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_preference_tenant_id_member_id_topic_channel_pk" PRIMARY KEY("tenant_id","member_id","topic","channel"),
	CONSTRAINT "notification_preference_channel_enum" CHECK ("notification_preference"."channel" in ('inApp', 'email', 'push', 'telegram')),
	CONSTRAINT "notification_preference_frequency_enum" CHECK ("notification_preference"."frequency" in ('immediate', 'hourly', 'daily', 'weekly', 'off')),
	CONSTRAINT "notification_preference_topic_length" CHECK (char_length("notification_preference"."topic") <= 60)
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"quiet_from" text,
	"quiet_until" text,
	"daily_cap" integer DEFAULT 10 NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_settings_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id"),
	CONSTRAINT "notification_settings_daily_cap_range" CHECK ("notification_settings"."daily_cap" between 1 and 50),
	CONSTRAINT "notification_settings_quiet_from_length" CHECK (char_length("notification_settings"."quiet_from") <= 5),
	CONSTRAINT "notification_settings_quiet_until_length" CHECK (char_length("notification_settings"."quiet_until") <= 5)
);
--> statement-breakpoint
CREATE TABLE "telegram_chat" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"chat_id" bigint NOT NULL,
	"name" text NOT NULL,
	"linked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"blocked_at" timestamp with time zone,
	CONSTRAINT "telegram_chat_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id"),
	CONSTRAINT "telegram_chat_name_length" CHECK (char_length("telegram_chat"."name") <= 200)
);
--> statement-breakpoint
CREATE TABLE "telegram_code" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "telegram_code_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id")
);
--> statement-breakpoint
ALTER TABLE "notification" DROP CONSTRAINT "notification_kind_enum";--> statement-breakpoint
ALTER TABLE "notification_delivery" ADD CONSTRAINT "notification_delivery_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_delivery" ADD CONSTRAINT "notification_delivery_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscription" ADD CONSTRAINT "push_subscription_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscription" ADD CONSTRAINT "push_subscription_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_email_count" ADD CONSTRAINT "notification_email_count_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_email_count" ADD CONSTRAINT "notification_email_count_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_mute" ADD CONSTRAINT "notification_mute_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_mute" ADD CONSTRAINT "notification_mute_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preference" ADD CONSTRAINT "notification_preference_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preference" ADD CONSTRAINT "notification_preference_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_chat" ADD CONSTRAINT "telegram_chat_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_chat" ADD CONSTRAINT "telegram_chat_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_code" ADD CONSTRAINT "telegram_code_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_code" ADD CONSTRAINT "telegram_code_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_delivery_once" ON "notification_delivery" USING btree ("tenant_id","member_id","channel","key");--> statement-breakpoint
CREATE INDEX "notification_delivery_due" ON "notification_delivery" USING btree ("tenant_id","due_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "notification_delivery_created" ON "notification_delivery" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "push_subscription_tenant_id_member_id_index" ON "push_subscription" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscription_endpoint" ON "push_subscription" USING btree ("tenant_id","member_id","endpoint");--> statement-breakpoint
CREATE INDEX "notification_email_count_tenant_id_created_at_index" ON "notification_email_count" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "telegram_code_tenant_id_expires_at_index" ON "telegram_code" USING btree ("tenant_id","expires_at");--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_kind_length" CHECK (char_length("notification"."kind") <= 60);--> statement-breakpoint
select isolate_tenants(t) from unnest(array['notification_delivery', 'notification_preference', 'notification_settings',
  'notification_mute', 'notification_email_count', 'push_subscription', 'telegram_chat', 'telegram_code']::regclass[]) t;
