CREATE TABLE "student_field" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"options" text[] DEFAULT '{}' NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "student_field_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "student_field_kind_enum" CHECK ("student_field"."kind" in ('text', 'number', 'date', 'choice')),
	CONSTRAINT "student_field_position_range" CHECK ("student_field"."position" >= 0),
	CONSTRAINT "student_field_name_length" CHECK (char_length("student_field"."name") <= 60)
);
--> statement-breakpoint
CREATE TABLE "student_field_value" (
	"tenant_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"field_id" uuid NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "student_field_value_tenant_id_student_id_field_id_pk" PRIMARY KEY("tenant_id","student_id","field_id"),
	CONSTRAINT "student_field_value_value_length" CHECK (char_length("student_field_value"."value") <= 500)
);
--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "fields_revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "student_field" ADD CONSTRAINT "student_field_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_field_value" ADD CONSTRAINT "student_field_value_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_field_value" ADD CONSTRAINT "student_field_value_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_field_value" ADD CONSTRAINT "student_field_value_field" FOREIGN KEY ("tenant_id","field_id") REFERENCES "public"."student_field"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "student_field_tenant_id_position_index" ON "student_field" USING btree ("tenant_id","position") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "student_field_value_tenant_id_field_id_value_index" ON "student_field_value" USING btree ("tenant_id","field_id","value");--> statement-breakpoint
ALTER TABLE "student" ADD CONSTRAINT "student_fields_revision_range" CHECK ("student"."fields_revision" >= 1);--> statement-breakpoint
select isolate_tenants(t) from unnest(array['student_field', 'student_field_value']::regclass[]) t;
