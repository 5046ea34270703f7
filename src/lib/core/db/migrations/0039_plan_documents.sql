CREATE TABLE "billing_account" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"tax_id" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"card_payment_id" uuid,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_account_name_length" CHECK (char_length("billing_account"."name") <= 160),
	CONSTRAINT "billing_account_tax_id_length" CHECK (char_length("billing_account"."tax_id") <= 10),
	CONSTRAINT "billing_account_address_length" CHECK (char_length("billing_account"."address") <= 300)
);
--> statement-breakpoint
CREATE TABLE "plan_document" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"purchase_id" uuid NOT NULL,
	"content" jsonb NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plan_document_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "plan_document_tenantId_kind_number_unique" UNIQUE("tenant_id","kind","number"),
	CONSTRAINT "plan_document_tenantId_purchaseId_kind_unique" UNIQUE("tenant_id","purchase_id","kind"),
	CONSTRAINT "plan_document_kind_enum" CHECK ("plan_document"."kind" in ('invoice', 'act')),
	CONSTRAINT "plan_document_number_range" CHECK ("plan_document"."number" >= 1)
);
--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD COLUMN "auto_key" text;--> statement-breakpoint
ALTER TABLE "billing_account" ADD CONSTRAINT "billing_account_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_account" ADD CONSTRAINT "billing_account_card" FOREIGN KEY ("tenant_id","card_payment_id") REFERENCES "public"."payment"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_document" ADD CONSTRAINT "plan_document_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_document" ADD CONSTRAINT "plan_document_purchase" FOREIGN KEY ("tenant_id","purchase_id") REFERENCES "public"."plan_purchase"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_account_tenant_id_card_payment_id_index" ON "billing_account" USING btree ("tenant_id","card_payment_id");--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD CONSTRAINT "plan_purchase_tenantId_autoKey_unique" UNIQUE("tenant_id","auto_key");--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD CONSTRAINT "plan_purchase_auto_key_length" CHECK (char_length("plan_purchase"."auto_key") <= 60);
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['billing_account', 'plan_document']::regclass[]) t;
