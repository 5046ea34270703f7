CREATE TABLE "generation" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"lang" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"failure" text,
	"progress" integer DEFAULT 0 NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "generation_tenant_id_file_id_kind_lang_pk" PRIMARY KEY("tenant_id","file_id","kind","lang")
);
--> statement-breakpoint
ALTER TABLE "generation" ADD CONSTRAINT "generation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation" ADD CONSTRAINT "generation_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
select wall('generation');
