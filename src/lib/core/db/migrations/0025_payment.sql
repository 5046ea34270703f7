CREATE TABLE "payment" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"purpose_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_ref" text,
	"kind" text NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"description" text NOT NULL,
	"return_url" text NOT NULL,
	"step_url" text,
	"step_ends_at" timestamp with time zone,
	"is_test" boolean NOT NULL,
	"parent_id" uuid,
	"period_unit" text,
	"period_count" integer,
	"card_token" text,
	"card_mask" text,
	"failure" text,
	"note" text,
	"by" uuid,
	"once_key" text,
	"next_poll_at" timestamp with time zone,
	"poll_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "payment_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_purpose_enum" CHECK ("payment"."purpose" in ('order', 'plan')),
	CONSTRAINT "payment_provider_enum" CHECK ("payment"."provider" in ('sandbox', 'liqpay', 'wayforpay', 'monobank', 'stripe', 'bank')),
	CONSTRAINT "payment_kind_enum" CHECK ("payment"."kind" in ('once', 'recurrent', 'refund')),
	CONSTRAINT "payment_status_enum" CHECK ("payment"."status" in ('error', 'pending', 'success', 'new', 'canceled', 'recurrent refund', 'subscribed')),
	CONSTRAINT "payment_currency_enum" CHECK ("payment"."currency" in ('UAH', 'USD', 'EUR')),
	CONSTRAINT "payment_period_unit_enum" CHECK ("payment"."period_unit" in ('day', 'week', 'month', 'year')),
	CONSTRAINT "payment_amount_range" CHECK ("payment"."amount" >= 1),
	CONSTRAINT "payment_period_count_range" CHECK ("payment"."period_count" between 1 and 366),
	CONSTRAINT "payment_poll_count_range" CHECK ("payment"."poll_count" >= 0),
	CONSTRAINT "payment_provider_ref_length" CHECK (char_length("payment"."provider_ref") <= 200),
	CONSTRAINT "payment_description_length" CHECK (char_length("payment"."description") <= 250),
	CONSTRAINT "payment_return_url_length" CHECK (char_length("payment"."return_url") <= 1000),
	CONSTRAINT "payment_step_url_length" CHECK (char_length("payment"."step_url") <= 2000),
	CONSTRAINT "payment_failure_length" CHECK (char_length("payment"."failure") <= 300),
	CONSTRAINT "payment_note_length" CHECK (char_length("payment"."note") <= 1000),
	CONSTRAINT "payment_card_mask_length" CHECK (char_length("payment"."card_mask") <= 30),
	CONSTRAINT "payment_once_key_length" CHECK (char_length("payment"."once_key") <= 100)
);
--> statement-breakpoint
CREATE TABLE "payment_callback" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"provider" text NOT NULL,
	"source" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"body" text NOT NULL,
	"headers" jsonb NOT NULL,
	"signature_ok" boolean NOT NULL,
	"payment_id" uuid,
	"status" text,
	"outcome" text NOT NULL,
	"problem" text,
	"processed_at" timestamp with time zone,
	CONSTRAINT "payment_callback_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_callback_provider_enum" CHECK ("payment_callback"."provider" in ('sandbox', 'liqpay', 'wayforpay', 'monobank', 'stripe', 'bank')),
	CONSTRAINT "payment_callback_source_enum" CHECK ("payment_callback"."source" in ('callback', 'poll', 'request', 'staff')),
	CONSTRAINT "payment_callback_status_enum" CHECK ("payment_callback"."status" in ('error', 'pending', 'success', 'new', 'canceled', 'recurrent refund', 'subscribed')),
	CONSTRAINT "payment_callback_outcome_enum" CHECK ("payment_callback"."outcome" in ('applied', 'repeated', 'outdated', 'rejected', 'failed')),
	CONSTRAINT "payment_callback_problem_enum" CHECK ("payment_callback"."problem" in ('signature', 'format', 'unknown_payment', 'provider', 'amount', 'currency', 'test', 'internal')),
	CONSTRAINT "payment_callback_body_length" CHECK (char_length("payment_callback"."body") <= 262144)
);
--> statement-breakpoint
CREATE TABLE "payment_provider_setting" (
	"tenant_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"keys" text,
	"is_enabled" boolean NOT NULL,
	"is_test" boolean NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp with time zone,
	"check_ok" boolean,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_provider_setting_tenant_id_provider_pk" PRIMARY KEY("tenant_id","provider"),
	CONSTRAINT "payment_provider_setting_provider_enum" CHECK ("payment_provider_setting"."provider" in ('sandbox', 'liqpay', 'wayforpay', 'monobank', 'stripe', 'bank')),
	CONSTRAINT "payment_provider_setting_position_range" CHECK ("payment_provider_setting"."position" >= 0)
);
--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_parent" FOREIGN KEY ("tenant_id","parent_id") REFERENCES "public"."payment"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_callback" ADD CONSTRAINT "payment_callback_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_callback" ADD CONSTRAINT "payment_callback_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payment"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_provider_setting" ADD CONSTRAINT "payment_provider_setting_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_tenant_id_purpose_purpose_id_index" ON "payment" USING btree ("tenant_id","purpose","purpose_id");--> statement-breakpoint
CREATE INDEX "payment_tenant_id_parent_id_index" ON "payment" USING btree ("tenant_id","parent_id");--> statement-breakpoint
CREATE INDEX "payment_tenant_id_by_index" ON "payment" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "payment_tenant_id_next_poll_at_index" ON "payment" USING btree ("tenant_id","next_poll_at") WHERE next_poll_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_tenant_id_parent_id_provider_ref_index" ON "payment" USING btree ("tenant_id","parent_id","provider_ref") WHERE kind = 'recurrent' and parent_id is not null and provider_ref is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_tenant_id_parent_id_once_key_index" ON "payment" USING btree ("tenant_id","parent_id","once_key") WHERE once_key is not null;--> statement-breakpoint
CREATE INDEX "payment_callback_tenant_id_payment_id_index" ON "payment_callback" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE INDEX "payment_callback_tenant_id_received_at_index" ON "payment_callback" USING btree ("tenant_id","received_at") WHERE payment_id is null;--> statement-breakpoint
select isolate_tenants(t) from unnest(array['payment', 'payment_callback', 'payment_provider_setting']::regclass[]) t;
