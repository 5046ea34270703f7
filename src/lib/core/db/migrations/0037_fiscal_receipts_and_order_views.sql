CREATE TABLE "order_view" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_view_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "order_view_tenantId_memberId_name_unique" UNIQUE("tenant_id","member_id","name"),
	CONSTRAINT "order_view_name_length" CHECK (char_length("order_view"."name") <= 60),
	CONSTRAINT "order_view_query_length" CHECK (char_length("order_view"."query") <= 2000)
);
--> statement-breakpoint
CREATE TABLE "fiscal_receipt" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"service" text NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"amount" integer NOT NULL,
	"related_id" uuid,
	"fiscal_code" text,
	"url" text,
	"failure" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "fiscal_receipt_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "fiscal_receipt_tenantId_paymentId_unique" UNIQUE("tenant_id","payment_id"),
	CONSTRAINT "fiscal_receipt_service_enum" CHECK ("fiscal_receipt"."service" in ('checkbox')),
	CONSTRAINT "fiscal_receipt_kind_enum" CHECK ("fiscal_receipt"."kind" in ('sale', 'return')),
	CONSTRAINT "fiscal_receipt_state_enum" CHECK ("fiscal_receipt"."state" in ('waiting', 'done', 'failed')),
	CONSTRAINT "fiscal_receipt_attempts_range" CHECK ("fiscal_receipt"."attempts" >= 0),
	CONSTRAINT "fiscal_receipt_amount_range" CHECK ("fiscal_receipt"."amount" >= 1),
	CONSTRAINT "fiscal_receipt_fiscal_code_length" CHECK (char_length("fiscal_receipt"."fiscal_code") <= 100),
	CONSTRAINT "fiscal_receipt_url_length" CHECK (char_length("fiscal_receipt"."url") <= 500),
	CONSTRAINT "fiscal_receipt_failure_length" CHECK (char_length("fiscal_receipt"."failure") <= 300)
);
--> statement-breakpoint
CREATE TABLE "fiscal_setting" (
	"tenant_id" uuid NOT NULL,
	"service" text NOT NULL,
	"keys" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"is_test" boolean NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "fiscal_setting_tenant_id_pk" PRIMARY KEY("tenant_id"),
	CONSTRAINT "fiscal_setting_service_enum" CHECK ("fiscal_setting"."service" in ('checkbox'))
);
--> statement-breakpoint
ALTER TABLE "order_entry" DROP CONSTRAINT "order_entry_kind_enum";--> statement-breakpoint
ALTER TABLE "payment" ADD COLUMN "starts_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_view" ADD CONSTRAINT "order_view_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_view" ADD CONSTRAINT "order_view_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_receipt" ADD CONSTRAINT "fiscal_receipt_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_receipt" ADD CONSTRAINT "fiscal_receipt_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payment"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_receipt" ADD CONSTRAINT "fiscal_receipt_related" FOREIGN KEY ("tenant_id","related_id") REFERENCES "public"."fiscal_receipt"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_setting" ADD CONSTRAINT "fiscal_setting_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fiscal_receipt_tenant_id_related_id_index" ON "fiscal_receipt" USING btree ("tenant_id","related_id") WHERE related_id is not null;--> statement-breakpoint
CREATE INDEX "fiscal_receipt_tenant_id_next_try_at_index" ON "fiscal_receipt" USING btree ("tenant_id","next_try_at") WHERE next_try_at is not null;--> statement-breakpoint
CREATE INDEX "payment_callback_body" ON "payment_callback" USING btree ("tenant_id","received_at") WHERE body <> '';--> statement-breakpoint
ALTER TABLE "order_entry" ADD CONSTRAINT "order_entry_kind_enum" CHECK ("order_entry"."kind" in ('state', 'access', 'note', 'reminder', 'email', 'problem'));--> statement-breakpoint
select isolate_tenants(t) from unnest(array['order_view', 'fiscal_receipt', 'fiscal_setting']::regclass[]) t;
