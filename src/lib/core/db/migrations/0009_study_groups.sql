CREATE TABLE "attendance_mark" (
	"tenant_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"is_present" boolean NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "attendance_mark_tenant_id_group_id_workshop_id_student_id_pk" PRIMARY KEY("tenant_id","group_id","workshop_id","student_id")
);
--> statement-breakpoint
CREATE TABLE "group_meeting" (
	"tenant_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_meeting_tenant_id_group_id_workshop_id_pk" PRIMARY KEY("tenant_id","group_id","workshop_id")
);
--> statement-breakpoint
CREATE TABLE "study_group_curator" (
	"tenant_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	CONSTRAINT "study_group_curator_tenant_id_group_id_member_id_pk" PRIMARY KEY("tenant_id","group_id","member_id")
);
--> statement-breakpoint
ALTER TABLE "study_group" ADD COLUMN "seats" integer;--> statement-breakpoint
ALTER TABLE "study_group" ADD COLUMN "schedule_offset_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "study_group" ADD COLUMN "color" text;--> statement-breakpoint
ALTER TABLE "study_group" ADD COLUMN "finished_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "study_group" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "attendance_mark" ADD CONSTRAINT "attendance_mark_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendance_mark" ADD CONSTRAINT "attendance_mark_meeting" FOREIGN KEY ("tenant_id","group_id","workshop_id") REFERENCES "public"."group_meeting"("tenant_id","group_id","workshop_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendance_mark" ADD CONSTRAINT "attendance_mark_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendance_mark" ADD CONSTRAINT "attendance_mark_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_meeting" ADD CONSTRAINT "group_meeting_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_meeting" ADD CONSTRAINT "group_meeting_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_meeting" ADD CONSTRAINT "group_meeting_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "study_group_curator" ADD CONSTRAINT "study_group_curator_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "study_group_curator" ADD CONSTRAINT "study_group_curator_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "study_group_curator" ADD CONSTRAINT "study_group_curator_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attendance_mark_tenant_id_student_id_index" ON "attendance_mark" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "attendance_mark_tenant_id_by_index" ON "attendance_mark" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "group_meeting_tenant_id_workshop_id_index" ON "group_meeting" USING btree ("tenant_id","workshop_id");--> statement-breakpoint
CREATE INDEX "study_group_curator_tenant_id_member_id_index" ON "study_group_curator" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE INDEX "study_group_tenant_id_start_at_id_index" ON "study_group" USING btree ("tenant_id","start_at","id");--> statement-breakpoint
ALTER TABLE "study_group" ADD CONSTRAINT "study_group_seats_range" CHECK ("study_group"."seats" between 1 and 10000);--> statement-breakpoint
ALTER TABLE "study_group" ADD CONSTRAINT "study_group_schedule_offset_days_range" CHECK ("study_group"."schedule_offset_days" between -365 and 365);--> statement-breakpoint
ALTER TABLE "study_group" ADD CONSTRAINT "study_group_color_enum" CHECK ("study_group"."color" in ('blue', 'green', 'yellow', 'red', 'purple', 'gray'));--> statement-breakpoint
ALTER TABLE "study_group" ADD CONSTRAINT "study_group_revision_range" CHECK ("study_group"."revision" >= 1);--> statement-breakpoint
select isolate_tenants(t) from unnest(array['study_group_curator', 'group_meeting', 'attendance_mark']::regclass[]) t;
