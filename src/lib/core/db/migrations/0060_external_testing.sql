-- 0060: defects found by external testing.
-- Sessions and secrets.
--> statement-breakpoint
-- End of sessions and secrets.

-- Offers, orders and payments.
--> statement-breakpoint
-- End of offers, orders and payments.

-- Tests.
--> statement-breakpoint
-- End of tests.

-- Calendars and bookings.
--> statement-breakpoint
-- End of calendars and bookings.

-- Students.
--> statement-breakpoint
-- End of students.

-- Chat and email.
update tenant_domain d set status = 'failed', check_error = 'txt_missing' where status = 'pending' and exists
  (select 1 from tenant_domain e where e.domain = d.domain and e.status = 'pending'
    and (e.created_at, e.tenant_id) < (d.created_at, d.tenant_id));
--> statement-breakpoint
CREATE UNIQUE INDEX "tenant_domain_pending" ON "tenant_domain" USING btree ("domain") WHERE status = 'pending';
--> statement-breakpoint
-- End of chat and email.

-- Certificates.
--> statement-breakpoint
-- End of certificates.

-- Events.
--> statement-breakpoint
-- End of events.

-- Pages and settings.
--> statement-breakpoint
-- End of pages and settings.

-- Storage and jobs.
--> statement-breakpoint
-- End of storage and jobs.
