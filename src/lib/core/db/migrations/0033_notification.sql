CREATE TABLE "notification" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"link" text NOT NULL,
	"group_key" text,
	"count" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"latest_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	CONSTRAINT "notification_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "notification_kind_enum" CHECK ("notification"."kind" in ('homework_accepted', 'homework_returned', 'homework_rejected', 'homework_message', 'quiz_reviewed', 'quiz_regraded', 'certificate_confirm', 'certificate_issued', 'certificate_reissued', 'certificate_revoked', 'certificate_requested', 'certificate_approved', 'certificate_produced', 'certificate_sent', 'certificate_received', 'certificate_declined')),
	CONSTRAINT "notification_count_range" CHECK ("notification"."count" >= 1),
	CONSTRAINT "notification_link_length" CHECK (char_length("notification"."link") <= 500),
	CONSTRAINT "notification_group_key_length" CHECK (char_length("notification"."group_key") <= 200)
);
--> statement-breakpoint
CREATE TABLE "notification_cause" (
	"tenant_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_cause_tenant_id_member_id_key_pk" PRIMARY KEY("tenant_id","member_id","key"),
	CONSTRAINT "notification_cause_key_length" CHECK (char_length("notification_cause"."key") <= 200)
);
--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_cause" ADD CONSTRAINT "notification_cause_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_cause" ADD CONSTRAINT "notification_cause_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_tenant_id_member_id_latest_at_id_index" ON "notification" USING btree ("tenant_id","member_id","latest_at","id");--> statement-breakpoint
CREATE INDEX "notification_unread" ON "notification" USING btree ("tenant_id","member_id") WHERE read_at is null and archived_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_group" ON "notification" USING btree ("tenant_id","member_id","group_key") WHERE group_key is not null;--> statement-breakpoint
CREATE INDEX "notification_latest" ON "notification" USING btree ("tenant_id","latest_at");--> statement-breakpoint
CREATE INDEX "notification_cause_tenant_id_created_at_index" ON "notification_cause" USING btree ("tenant_id","created_at");--> statement-breakpoint
select isolate_tenants(t) from unnest(array['notification', 'notification_cause']::regclass[]) t;--> statement-breakpoint
-- A session contains the number of unread notifications, so that pages show it without a further round trip.
do $$
declare
  definition text := pg_get_functiondef('open_session(bytea, text)'::regprocedure);
  memberships text := '''memberships'', (select';
begin
  if position(memberships in definition) = 0 then raise exception 'open_session has another definition'; end if;
  execute replace(definition, memberships,
    '''unreadNotifications'', (select count(*) from notification n where n.tenant_id = m.tenant_id and n.member_id = m.id
                and n.read_at is null and n.archived_at is null),
    ' || memberships);
end $$;
