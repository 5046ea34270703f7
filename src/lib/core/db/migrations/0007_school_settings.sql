CREATE TABLE "former_subdomain" (
	"subdomain" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"replaced_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "former_subdomain_subdomain_length" CHECK (char_length("former_subdomain"."subdomain") <= 63)
);
--> statement-breakpoint
CREATE TABLE "tenant_domain" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"verification_token" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_check_at" timestamp with time zone,
	"check_error" text,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "tenant_domain_status_enum" CHECK ("tenant_domain"."status" in ('pending', 'verified', 'active', 'failed')),
	CONSTRAINT "tenant_domain_check_error_enum" CHECK ("tenant_domain"."check_error" in ('txt_missing', 'txt_wrong', 'address_missing', 'address_wrong', 'dns_unavailable')),
	CONSTRAINT "tenant_domain_domain_length" CHECK (char_length("tenant_domain"."domain") <= 253),
	CONSTRAINT "tenant_domain_verification_token_length" CHECK (char_length("tenant_domain"."verification_token") <= 64),
	CONSTRAINT "tenant_domain_failed_checks_range" CHECK ("tenant_domain"."failed_checks" >= 0)
);
--> statement-breakpoint
CREATE TABLE "tenant_logo" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"image" "bytea" NOT NULL,
	CONSTRAINT "tenant_logo_hash_length" CHECK (char_length("tenant_logo"."hash") <= 64)
);
--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "logo_hash" text;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "reply_to" text;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "former_subdomain" ADD CONSTRAINT "former_subdomain_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant_domain" ADD CONSTRAINT "tenant_domain_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant_logo" ADD CONSTRAINT "tenant_logo_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_subdomain_tenant_id_replaced_at_index" ON "former_subdomain" USING btree ("tenant_id","replaced_at");--> statement-breakpoint
CREATE UNIQUE INDEX "tenant_domain_domain_index" ON "tenant_domain" USING btree ("domain") WHERE status in ('verified', 'active');--> statement-breakpoint
CREATE INDEX "tenant_domain_status_last_check_at_index" ON "tenant_domain" USING btree ("status","last_check_at");--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_primary_color_length" CHECK (char_length("tenant"."primary_color") <= 7);--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_logo_hash_length" CHECK (char_length("tenant"."logo_hash") <= 64);--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_reply_to_length" CHECK (char_length("tenant"."reply_to") <= 254);--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_revision_range" CHECK ("tenant"."revision" >= 1);--> statement-breakpoint
ALTER TABLE "tenant" DROP COLUMN "logo_file_id";