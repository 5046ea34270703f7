CREATE TABLE "question_import" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"bank_id" uuid,
	"by" uuid NOT NULL,
	"requesting_actor" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"stored_file_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"inserted" integer DEFAULT 0 NOT NULL,
	"result" jsonb,
	"failure" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "question_import_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "question_import_state_enum" CHECK ("question_import"."state" in ('queued', 'running', 'done', 'failed', 'canceled')),
	CONSTRAINT "question_import_inserted_range" CHECK ("question_import"."inserted" >= 0),
	CONSTRAINT "question_import_progress_range" CHECK ("question_import"."progress" between 0 and 100),
	CONSTRAINT "question_import_file_name_length" CHECK (char_length("question_import"."file_name") <= 255)
);
--> statement-breakpoint
ALTER TABLE "question_import" ADD CONSTRAINT "question_import_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_import" ADD CONSTRAINT "question_import_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_import" ADD CONSTRAINT "question_import_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "question_import_tenant_id_by_created_at_index" ON "question_import" USING btree ("tenant_id","by","created_at");--> statement-breakpoint
CREATE INDEX "question_import_tenant_id_file_id_index" ON "question_import" USING btree ("tenant_id","file_id");--> statement-breakpoint
select isolate_tenants('question_import');
