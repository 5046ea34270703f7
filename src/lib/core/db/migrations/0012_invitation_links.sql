CREATE TABLE "invitation_link" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"group_id" uuid,
	"created_by" uuid NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"encrypted_token" text NOT NULL,
	"max_uses" integer,
	"use_count" integer DEFAULT 0 NOT NULL,
	"email_domain" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "invitation_link_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "invitation_link_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitation_link_max_uses_range" CHECK ("invitation_link"."max_uses" between 1 and 10000),
	CONSTRAINT "invitation_link_use_count_range" CHECK ("invitation_link"."use_count" >= 0),
	CONSTRAINT "invitation_link_uses" CHECK ("invitation_link"."use_count" <= "invitation_link"."max_uses"),
	CONSTRAINT "invitation_link_label_length" CHECK (char_length("invitation_link"."label") <= 80),
	CONSTRAINT "invitation_link_encrypted_token_length" CHECK (char_length("invitation_link"."encrypted_token") <= 300),
	CONSTRAINT "invitation_link_email_domain_length" CHECK (char_length("invitation_link"."email_domain") <= 253)
);
--> statement-breakpoint
CREATE TABLE "invitation_link_use" (
	"tenant_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitation_link_use_tenant_id_link_id_student_id_pk" PRIMARY KEY("tenant_id","link_id","student_id")
);
--> statement-breakpoint
CREATE TABLE "registration_form" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"is_open" boolean DEFAULT true NOT NULL,
	"fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"consent_text" text DEFAULT '' NOT NULL,
	"consent_url" text,
	"consent_version" integer DEFAULT 1 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "registration_form_consent_text_length" CHECK (char_length("registration_form"."consent_text") <= 1000),
	CONSTRAINT "registration_form_consent_url_length" CHECK (char_length("registration_form"."consent_url") <= 500),
	CONSTRAINT "registration_form_consent_version_range" CHECK ("registration_form"."consent_version" >= 1),
	CONSTRAINT "registration_form_revision_range" CHECK ("registration_form"."revision" >= 1)
);
--> statement-breakpoint
CREATE TABLE "student_consent" (
	"tenant_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"url" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "student_consent_tenant_id_student_id_version_pk" PRIMARY KEY("tenant_id","student_id","version"),
	CONSTRAINT "student_consent_text_length" CHECK (char_length("student_consent"."text") <= 1000),
	CONSTRAINT "student_consent_url_length" CHECK (char_length("student_consent"."url") <= 500),
	CONSTRAINT "student_consent_version_range" CHECK ("student_consent"."version" >= 1)
);
--> statement-breakpoint
CREATE TABLE "student_registration" (
	"tenant_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"answers" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "student_registration_tenant_id_student_id_pk" PRIMARY KEY("tenant_id","student_id")
);
--> statement-breakpoint
ALTER TABLE "invitation" ADD COLUMN "mail_id" uuid;--> statement-breakpoint
ALTER TABLE "invitation_link" ADD CONSTRAINT "invitation_link_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_link" ADD CONSTRAINT "invitation_link_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_link" ADD CONSTRAINT "invitation_link_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_link" ADD CONSTRAINT "invitation_link_created_by" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_link_use" ADD CONSTRAINT "invitation_link_use_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_link_use" ADD CONSTRAINT "invitation_link_use_link" FOREIGN KEY ("tenant_id","link_id") REFERENCES "public"."invitation_link"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_link_use" ADD CONSTRAINT "invitation_link_use_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_form" ADD CONSTRAINT "registration_form_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_consent" ADD CONSTRAINT "student_consent_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_consent" ADD CONSTRAINT "student_consent_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_registration" ADD CONSTRAINT "student_registration_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_registration" ADD CONSTRAINT "student_registration_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_link_tenant_id_course_id_created_at_index" ON "invitation_link" USING btree ("tenant_id","course_id","created_at");--> statement-breakpoint
CREATE INDEX "invitation_link_tenant_id_group_id_index" ON "invitation_link" USING btree ("tenant_id","group_id");--> statement-breakpoint
CREATE INDEX "invitation_link_tenant_id_created_by_index" ON "invitation_link" USING btree ("tenant_id","created_by");--> statement-breakpoint
CREATE INDEX "invitation_link_use_tenant_id_student_id_index" ON "invitation_link_use" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "invitation_tenant_id_created_at_id_index" ON "invitation" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
select isolate_tenants(t) from unnest(array['invitation_link', 'invitation_link_use', 'registration_form', 'student_registration', 'student_consent']::regclass[]) t;
