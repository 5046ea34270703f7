CREATE TABLE "plan_purchase" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"group" text NOT NULL,
	"kind" text NOT NULL,
	"chosen" jsonb NOT NULL,
	"amount" integer NOT NULL,
	"state" text DEFAULT 'new' NOT NULL,
	"paid_from" timestamp with time zone NOT NULL,
	"paid_until" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "plan_purchase_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "plan_purchase_group_enum" CHECK ("plan_purchase"."group" in ('lms', 'workshop')),
	CONSTRAINT "plan_purchase_kind_enum" CHECK ("plan_purchase"."kind" in ('change', 'renewal')),
	CONSTRAINT "plan_purchase_state_enum" CHECK ("plan_purchase"."state" in ('new', 'paid')),
	CONSTRAINT "plan_purchase_amount_range" CHECK ("plan_purchase"."amount" >= 0)
);
--> statement-breakpoint
ALTER TABLE "add_on" ADD COLUMN "group" text DEFAULT 'lms' NOT NULL;--> statement-breakpoint
ALTER TABLE "add_on" ADD COLUMN "next_quantity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD CONSTRAINT "plan_purchase_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD CONSTRAINT "plan_purchase_created_by" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plan_purchase_tenant_id_created_by_index" ON "plan_purchase" USING btree ("tenant_id","created_by");--> statement-breakpoint
CREATE INDEX "plan_purchase_tenant_id_created_at_index" ON "plan_purchase" USING btree ("tenant_id","created_at");--> statement-breakpoint
ALTER TABLE "add_on" ADD CONSTRAINT "add_on_tenantId_group_limit_unique" UNIQUE("tenant_id","group","limit");--> statement-breakpoint
ALTER TABLE "add_on" ADD CONSTRAINT "add_on_group_enum" CHECK ("add_on"."group" in ('lms', 'workshop'));--> statement-breakpoint
ALTER TABLE "add_on" ADD CONSTRAINT "add_on_next_quantity_range" CHECK ("add_on"."next_quantity" >= 0);--> statement-breakpoint
select isolate_tenants('plan_purchase');
