CREATE TABLE "masterclass" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "masterclass_tenant_id_workshop_id_pk" PRIMARY KEY("tenant_id","workshop_id")
);
--> statement-breakpoint
CREATE TABLE "masterclass_watch" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"participant_id" uuid NOT NULL,
	"part_id" text NOT NULL,
	"second" integer DEFAULT 0 NOT NULL,
	"watched" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "masterclass_watch_tenant_id_participant_id_part_id_pk" PRIMARY KEY("tenant_id","participant_id","part_id")
);
--> statement-breakpoint
ALTER TABLE "masterclass" ADD CONSTRAINT "masterclass_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "masterclass" ADD CONSTRAINT "masterclass_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "masterclass_watch" ADD CONSTRAINT "masterclass_watch_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "masterclass_watch" ADD CONSTRAINT "masterclass_watch_participant" FOREIGN KEY ("tenant_id","participant_id") REFERENCES "public"."workshop_participant"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "masterclass_watch_tenant_id_workshop_id_part_id_index" ON "masterclass_watch" USING btree ("tenant_id","workshop_id","part_id");--> statement-breakpoint
select wall('masterclass'::regclass);--> statement-breakpoint
select wall('masterclass_watch'::regclass);