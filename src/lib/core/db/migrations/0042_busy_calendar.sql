CREATE TABLE "busy_calendar" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"address" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"error" text,
	"etag" text,
	"time_count" integer DEFAULT 0 NOT NULL,
	"read_at" timestamp with time zone,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "busy_calendar_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id"),
	CONSTRAINT "busy_calendar_error_enum" CHECK ("busy_calendar"."error" in ('calendar_not_web', 'calendar_private', 'calendar_silent', 'calendar_refused', 'calendar_too_large', 'calendar_redirects', 'calendar_format')),
	CONSTRAINT "busy_calendar_version_range" CHECK ("busy_calendar"."version" >= 1),
	CONSTRAINT "busy_calendar_time_count_range" CHECK ("busy_calendar"."time_count" >= 0),
	CONSTRAINT "busy_calendar_address_length" CHECK (char_length("busy_calendar"."address") <= 4000),
	CONSTRAINT "busy_calendar_etag_length" CHECK (char_length("busy_calendar"."etag") <= 400)
);
--> statement-breakpoint
CREATE TABLE "busy_time" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"end_at" timestamp with time zone NOT NULL,
	CONSTRAINT "busy_time_tenant_id_member_id_start_at_pk" PRIMARY KEY("tenant_id","member_id","start_at"),
	CONSTRAINT "busy_time_start_at_end_at_order" CHECK ("busy_time"."start_at" < "busy_time"."end_at")
);
--> statement-breakpoint
ALTER TABLE "busy_calendar" ADD CONSTRAINT "busy_calendar_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "busy_calendar" ADD CONSTRAINT "busy_calendar_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "busy_time" ADD CONSTRAINT "busy_time_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "busy_time" ADD CONSTRAINT "busy_time_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "busy_calendar_tenant_id_due_at_index" ON "busy_calendar" USING btree ("tenant_id","due_at");--> statement-breakpoint
CREATE INDEX "mentor_session_tenant_id_start_at_id_index" ON "mentor_session" USING btree ("tenant_id","start_at","id");--> statement-breakpoint
select isolate_tenants(t) from unnest(array['busy_calendar', 'busy_time']::regclass[]) t;
