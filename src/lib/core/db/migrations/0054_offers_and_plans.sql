ALTER TABLE "access_grant" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD COLUMN "discount" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD COLUMN "promo_code" text;--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "group_id" uuid;--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "access_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "seo_title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "seo_description" text DEFAULT '' NOT NULL;--> statement-breakpoint
select without_forced_row_security(array['offer', 'study_group']::regclass[], $$
  ALTER TABLE "offer" ADD CONSTRAINT "offer_group" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."study_group"("tenant_id","id") ON DELETE no action ON UPDATE no action
$$);--> statement-breakpoint
CREATE INDEX "access_grant_order_group" ON "access_grant" USING btree ("tenant_id","order_id") WHERE "access_grant"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "offer_tenant_id_group_id_index" ON "offer" USING btree ("tenant_id","group_id") WHERE "offer"."group_id" is not null;--> statement-breakpoint
ALTER TABLE "offer" ADD CONSTRAINT "offer_seo_title_length" CHECK (char_length("offer"."seo_title") <= 70);--> statement-breakpoint
ALTER TABLE "offer" ADD CONSTRAINT "offer_seo_description_length" CHECK (char_length("offer"."seo_description") <= 160);
--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD CONSTRAINT "plan_purchase_discount_range" CHECK ("plan_purchase"."discount" >= 0);--> statement-breakpoint
ALTER TABLE "plan_purchase" ADD CONSTRAINT "plan_purchase_promo_code_length" CHECK (char_length("plan_purchase"."promo_code") <= 40);
