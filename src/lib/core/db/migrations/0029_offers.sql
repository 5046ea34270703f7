CREATE TABLE "coupon" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"type" text NOT NULL,
	"value" integer NOT NULL,
	"currency" text NOT NULL,
	"offer_ids" uuid[],
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"max_total" integer,
	"max_per_person" integer,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "coupon_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "coupon_type_enum" CHECK ("coupon"."type" in ('percent', 'fixed', 'setPrice')),
	CONSTRAINT "coupon_currency_enum" CHECK ("coupon"."currency" in ('UAH', 'USD', 'EUR')),
	CONSTRAINT "coupon_value_range" CHECK ("coupon"."value" between 0 and 1000000000),
	CONSTRAINT "coupon_max_total_range" CHECK ("coupon"."max_total" between 1 and 1000000),
	CONSTRAINT "coupon_max_per_person_range" CHECK ("coupon"."max_per_person" between 1 and 1000),
	CONSTRAINT "coupon_starts_at_ends_at_order" CHECK ("coupon"."starts_at" < "coupon"."ends_at"),
	CONSTRAINT "coupon_code_length" CHECK (char_length("coupon"."code") <= 40)
);
--> statement-breakpoint
CREATE TABLE "order_entry" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"by" uuid,
	"text" text NOT NULL,
	CONSTRAINT "order_entry_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "order_entry_kind_enum" CHECK ("order_entry"."kind" in ('state', 'access', 'note', 'reminder', 'problem')),
	CONSTRAINT "order_entry_text_length" CHECK (char_length("order_entry"."text") <= 2000)
);
--> statement-breakpoint
CREATE TABLE "sales_order" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" integer NOT NULL,
	"public_id" uuid NOT NULL,
	"offer_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"state" text NOT NULL,
	"snapshot" jsonb NOT NULL,
	"buyer_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"answers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"recipient_name" text,
	"recipient_email" text,
	"gift_message" text DEFAULT '' NOT NULL,
	"student_id" uuid,
	"currency" text NOT NULL,
	"list_amount" integer NOT NULL,
	"discount_amount" integer DEFAULT 0 NOT NULL,
	"credit_amount" integer DEFAULT 0 NOT NULL,
	"amount" integer NOT NULL,
	"paid_amount" bigint DEFAULT 0 NOT NULL,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"schedule" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"coupon_id" uuid,
	"upgrades_id" uuid,
	"source" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"locale" text NOT NULL,
	"consent_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"next_due_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	CONSTRAINT "sales_order_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sales_order_tenantId_number_unique" UNIQUE("tenant_id","number"),
	CONSTRAINT "sales_order_tenantId_publicId_unique" UNIQUE("tenant_id","public_id"),
	CONSTRAINT "sales_order_state_enum" CHECK ("sales_order"."state" in ('new', 'awaiting_payment', 'paid', 'partially_refunded', 'refunded', 'expired', 'canceled', 'active', 'overdue', 'suspended', 'completed')),
	CONSTRAINT "sales_order_currency_enum" CHECK ("sales_order"."currency" in ('UAH', 'USD', 'EUR')),
	CONSTRAINT "sales_order_locale_enum" CHECK ("sales_order"."locale" in ('uk', 'en')),
	CONSTRAINT "sales_order_number_range" CHECK ("sales_order"."number" >= 0),
	CONSTRAINT "sales_order_list_amount_range" CHECK ("sales_order"."list_amount" >= 0),
	CONSTRAINT "sales_order_discount_amount_range" CHECK ("sales_order"."discount_amount" >= 0),
	CONSTRAINT "sales_order_credit_amount_range" CHECK ("sales_order"."credit_amount" >= 0),
	CONSTRAINT "sales_order_amount_range" CHECK ("sales_order"."amount" >= 0),
	CONSTRAINT "sales_order_paid_amount_range" CHECK ("sales_order"."paid_amount" >= 0),
	CONSTRAINT "sales_order_refunded_amount_range" CHECK ("sales_order"."refunded_amount" >= 0),
	CONSTRAINT "sales_order_buyer_name_length" CHECK (char_length("sales_order"."buyer_name") <= 160),
	CONSTRAINT "sales_order_email_length" CHECK (char_length("sales_order"."email") <= 254),
	CONSTRAINT "sales_order_phone_length" CHECK (char_length("sales_order"."phone") <= 40),
	CONSTRAINT "sales_order_recipient_name_length" CHECK (char_length("sales_order"."recipient_name") <= 160),
	CONSTRAINT "sales_order_recipient_email_length" CHECK (char_length("sales_order"."recipient_email") <= 254),
	CONSTRAINT "sales_order_gift_message_length" CHECK (char_length("sales_order"."gift_message") <= 1000)
);
--> statement-breakpoint
CREATE TABLE "offer" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"visibility" text DEFAULT 'public' NOT NULL,
	"kind" text NOT NULL,
	"currency" text DEFAULT 'UAH' NOT NULL,
	"price" integer DEFAULT 0 NOT NULL,
	"old_price" integer,
	"sale_price" integer,
	"sale_from" timestamp with time zone,
	"sale_to" timestamp with time zone,
	"period" text DEFAULT 'month' NOT NULL,
	"trial_days" integer DEFAULT 0 NOT NULL,
	"installment_count" integer DEFAULT 3 NOT NULL,
	"installment_days" integer DEFAULT 30 NOT NULL,
	"first_amount" integer,
	"module_ids" uuid[],
	"course_ids" uuid[] DEFAULT '{}' NOT NULL,
	"workshop_ids" uuid[] DEFAULT '{}' NOT NULL,
	"with_review" boolean DEFAULT true NOT NULL,
	"with_certificate" boolean DEFAULT true NOT NULL,
	"access_type" text DEFAULT 'lifetime' NOT NULL,
	"access_until" timestamp with time zone,
	"access_days" integer,
	"sales_from" timestamp with time zone,
	"sales_to" timestamp with time zone,
	"seats" integer,
	"phone" text DEFAULT 'optional' NOT NULL,
	"questions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"after_message" text DEFAULT '' NOT NULL,
	"after_url" text DEFAULT '' NOT NULL,
	"email_text" text DEFAULT '' NOT NULL,
	"cross_sell_ids" uuid[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offer_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "offer_state_enum" CHECK ("offer"."state" in ('draft', 'active', 'archived')),
	CONSTRAINT "offer_visibility_enum" CHECK ("offer"."visibility" in ('public', 'link', 'hidden')),
	CONSTRAINT "offer_kind_enum" CHECK ("offer"."kind" in ('free', 'once', 'installments', 'subscription')),
	CONSTRAINT "offer_currency_enum" CHECK ("offer"."currency" in ('UAH', 'USD', 'EUR')),
	CONSTRAINT "offer_period_enum" CHECK ("offer"."period" in ('week', 'month', 'year')),
	CONSTRAINT "offer_access_type_enum" CHECK ("offer"."access_type" in ('lifetime', 'untilDate', 'days')),
	CONSTRAINT "offer_phone_enum" CHECK ("offer"."phone" in ('off', 'optional', 'required')),
	CONSTRAINT "offer_version_range" CHECK ("offer"."version" >= 1),
	CONSTRAINT "offer_price_range" CHECK ("offer"."price" between 0 and 1000000000),
	CONSTRAINT "offer_old_price_range" CHECK ("offer"."old_price" between 0 and 1000000000),
	CONSTRAINT "offer_sale_price_range" CHECK ("offer"."sale_price" between 0 and 1000000000),
	CONSTRAINT "offer_first_amount_range" CHECK ("offer"."first_amount" between 0 and 1000000000),
	CONSTRAINT "offer_trial_days_range" CHECK ("offer"."trial_days" between 0 and 90),
	CONSTRAINT "offer_installment_count_range" CHECK ("offer"."installment_count" between 2 and 24),
	CONSTRAINT "offer_installment_days_range" CHECK ("offer"."installment_days" between 1 and 180),
	CONSTRAINT "offer_access_days_range" CHECK ("offer"."access_days" between 1 and 3650),
	CONSTRAINT "offer_seats_range" CHECK ("offer"."seats" between 1 and 100000),
	CONSTRAINT "offer_sale_from_sale_to_order" CHECK ("offer"."sale_from" < "offer"."sale_to"),
	CONSTRAINT "offer_sales_from_sales_to_order" CHECK ("offer"."sales_from" < "offer"."sales_to"),
	CONSTRAINT "offer_name_length" CHECK (char_length("offer"."name") <= 120),
	CONSTRAINT "offer_description_length" CHECK (char_length("offer"."description") <= 2000),
	CONSTRAINT "offer_after_message_length" CHECK (char_length("offer"."after_message") <= 2000),
	CONSTRAINT "offer_after_url_length" CHECK (char_length("offer"."after_url") <= 2048),
	CONSTRAINT "offer_email_text_length" CHECK (char_length("offer"."email_text") <= 3000)
);
--> statement-breakpoint
CREATE TABLE "order_counter" (
	"tenant_id" uuid NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "order_counter_tenant_id_pk" PRIMARY KEY("tenant_id"),
	CONSTRAINT "order_counter_last_range" CHECK ("order_counter"."last" >= 0)
);
--> statement-breakpoint
ALTER TABLE "access_grant" ADD COLUMN "with_review" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "access_grant" ADD COLUMN "with_certificate" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "coupon" ADD CONSTRAINT "coupon_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon" ADD CONSTRAINT "coupon_created_by" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_entry" ADD CONSTRAINT "order_entry_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_entry" ADD CONSTRAINT "order_entry_order" FOREIGN KEY ("tenant_id","order_id") REFERENCES "public"."sales_order"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_entry" ADD CONSTRAINT "order_entry_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_offer" FOREIGN KEY ("tenant_id","offer_id") REFERENCES "public"."offer"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_coupon" FOREIGN KEY ("tenant_id","coupon_id") REFERENCES "public"."coupon"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_upgrades" FOREIGN KEY ("tenant_id","upgrades_id") REFERENCES "public"."sales_order"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer" ADD CONSTRAINT "offer_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer" ADD CONSTRAINT "offer_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer" ADD CONSTRAINT "offer_updated_by" FOREIGN KEY ("tenant_id","updated_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_counter" ADD CONSTRAINT "order_counter_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "coupon_code" ON "coupon" USING btree ("tenant_id","code");--> statement-breakpoint
CREATE INDEX "coupon_tenant_id_created_at_id_index" ON "coupon" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "coupon_tenant_id_created_by_index" ON "coupon" USING btree ("tenant_id","created_by");--> statement-breakpoint
CREATE INDEX "order_entry_tenant_id_order_id_at_id_index" ON "order_entry" USING btree ("tenant_id","order_id","at","id");--> statement-breakpoint
CREATE INDEX "order_entry_tenant_id_by_index" ON "order_entry" USING btree ("tenant_id","by") WHERE "order_entry"."by" is not null;--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_created_at_id_index" ON "sales_order" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_course_id_created_at_id_index" ON "sales_order" USING btree ("tenant_id","course_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_state_created_at_id_index" ON "sales_order" USING btree ("tenant_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_offer_id_state_index" ON "sales_order" USING btree ("tenant_id","offer_id","state");--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_email_index" ON "sales_order" USING btree ("tenant_id","email");--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_student_id_index" ON "sales_order" USING btree ("tenant_id","student_id") WHERE "sales_order"."student_id" is not null;--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_coupon_id_email_index" ON "sales_order" USING btree ("tenant_id","coupon_id","email") WHERE "sales_order"."coupon_id" is not null;--> statement-breakpoint
CREATE INDEX "sales_order_tenant_id_upgrades_id_index" ON "sales_order" USING btree ("tenant_id","upgrades_id") WHERE "sales_order"."upgrades_id" is not null;--> statement-breakpoint
CREATE INDEX "sales_order_expiring" ON "sales_order" USING btree ("tenant_id","expires_at") WHERE state = 'awaiting_payment';--> statement-breakpoint
CREATE INDEX "offer_tenant_id_course_id_created_at_id_index" ON "offer" USING btree ("tenant_id","course_id","created_at","id");--> statement-breakpoint
CREATE INDEX "offer_tenant_id_updated_by_index" ON "offer" USING btree ("tenant_id","updated_by");--> statement-breakpoint
select isolate_tenants(t) from unnest(array['offer', 'order_counter', 'coupon', 'sales_order', 'order_entry']::regclass[]) t;
