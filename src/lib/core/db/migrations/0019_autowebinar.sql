CREATE TABLE "auto_clock" (
	"tenant_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"start_at" timestamp with time zone NOT NULL,
	"paused_at_ms" integer,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auto_clock_tenant_id_person_id_pk" PRIMARY KEY("tenant_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "auto_line" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"offset_ms" integer NOT NULL,
	"track" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "auto_line_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "auto_plan" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"film_file_id" uuid,
	"film_ms" integer DEFAULT 0 NOT NULL,
	"film_offset_ms" integer DEFAULT 0 NOT NULL,
	"source_session_id" uuid,
	"schedule" jsonb NOT NULL,
	"quiet_hours" jsonb,
	"capacity" integer,
	"muted_tracks" text[] DEFAULT '{}'::text[] NOT NULL,
	"may_restart" boolean DEFAULT false NOT NULL,
	"may_pause" boolean DEFAULT false NOT NULL,
	"honest" jsonb NOT NULL,
	"watched_before" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auto_plan_tenant_id_workshop_id_pk" PRIMARY KEY("tenant_id","workshop_id")
);
--> statement-breakpoint
ALTER TABLE "auto_clock" ADD CONSTRAINT "auto_clock_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_clock" ADD CONSTRAINT "auto_clock_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_line" ADD CONSTRAINT "auto_line_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_line" ADD CONSTRAINT "auto_line_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_film" FOREIGN KEY ("tenant_id","film_file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_plan" ADD CONSTRAINT "auto_plan_source" FOREIGN KEY ("tenant_id","source_session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auto_clock_tenant_id_session_id_index" ON "auto_clock" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "auto_line_tenant_id_workshop_id_offset_ms_position_id_index" ON "auto_line" USING btree ("tenant_id","workshop_id","offset_ms","position","id");--> statement-breakpoint
select wall('auto_plan'::regclass);--> statement-breakpoint
select wall('auto_line'::regclass);--> statement-breakpoint
select wall('auto_clock'::regclass);
