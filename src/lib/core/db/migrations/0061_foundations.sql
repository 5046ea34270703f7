-- Emails of events to unconfirmed addresses.
ALTER TABLE "registration" ADD COLUMN "address_confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registration" ADD COLUMN "network_digest" text;--> statement-breakpoint
ALTER TABLE "registration_email" ADD COLUMN "refused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registration" ADD CONSTRAINT "registration_network_digest_length" CHECK (char_length("registration"."network_digest") <= 64);--> statement-breakpoint
select for_each_tenant($$ update registration set address_confirmed_at = created_at where member_id is not null $$);
-- End of emails of events to unconfirmed addresses.
