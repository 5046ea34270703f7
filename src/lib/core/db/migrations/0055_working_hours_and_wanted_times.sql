CREATE TABLE "working_hours" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"from_minute" integer NOT NULL,
	"to_minute" integer NOT NULL,
	CONSTRAINT "working_hours_from_minute_range" CHECK ("working_hours"."from_minute" between 0 and 1439),
	CONSTRAINT "working_hours_to_minute_range" CHECK ("working_hours"."to_minute" between 1 and 1440),
	CONSTRAINT "working_hours_from_minute_to_minute_order" CHECK ("working_hours"."from_minute" < "working_hours"."to_minute")
);
--> statement-breakpoint
ALTER TABLE "booking_waitlist" ADD COLUMN "wanted_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "booking_waitlist" ADD COLUMN "wanted_to" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "working_hours" ADD CONSTRAINT "working_hours_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_waitlist" ADD CONSTRAINT "booking_waitlist_wanted_from_wanted_to_order" CHECK ("booking_waitlist"."wanted_from" < "booking_waitlist"."wanted_to");--> statement-breakpoint
ALTER TABLE "booking_waitlist" ADD CONSTRAINT "booking_waitlist_wanted_both" CHECK (("booking_waitlist"."wanted_from" is null) = ("booking_waitlist"."wanted_to" is null));--> statement-breakpoint
select isolate_tenants('working_hours');
