CREATE TABLE "outline_change" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"by" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"effect" jsonb NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "outline_change_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "outline_change" ADD CONSTRAINT "outline_change_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outline_change" ADD CONSTRAINT "outline_change_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outline_change" ADD CONSTRAINT "outline_change_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outline_change_tenant_id_at_index" ON "outline_change" USING btree ("tenant_id","at");--> statement-breakpoint
select wall('outline_change'::regclass);
