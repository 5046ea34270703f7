CREATE TABLE "registration_letter" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"registration_id" uuid NOT NULL,
	"session_id" uuid,
	"kind" text NOT NULL,
	"schedule_version" integer NOT NULL,
	"mail_id" uuid,
	"batch_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"recalled_at" timestamp with time zone,
	CONSTRAINT "registration_letter_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "registration_letter_once" UNIQUE NULLS NOT DISTINCT("tenant_id","registration_id","kind","schedule_version","session_id")
);
--> statement-breakpoint
CREATE TABLE "registration_wish" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"time_zone" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "registration_wish_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "registration_wish_once" UNIQUE("tenant_id","workshop_id","email")
);
--> statement-breakpoint
ALTER TABLE "registration" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registration" ADD COLUMN "canceled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "attachments" jsonb;--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "unsubscribe" text;--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "send_after" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registration_letter" ADD CONSTRAINT "registration_letter_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_letter" ADD CONSTRAINT "registration_letter_registration" FOREIGN KEY ("tenant_id","registration_id") REFERENCES "public"."registration"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_wish" ADD CONSTRAINT "registration_wish_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_wish" ADD CONSTRAINT "registration_wish_workshop" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "registration_letter_tenant_id_workshop_id_created_at_id_index" ON "registration_letter" USING btree ("tenant_id","workshop_id","created_at","id");--> statement-breakpoint
CREATE INDEX "registration_wish_tenant_id_told_at_index" ON "registration_wish" USING btree ("tenant_id","told_at");--> statement-breakpoint
select wall('registration_letter'::regclass);--> statement-breakpoint
select wall('registration_wish'::regclass);
