CREATE TABLE "audit_entry" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid,
	"address" text,
	"action" text NOT NULL,
	"object_id" uuid NOT NULL,
	"object_name" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "audit_entry_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "audit_entry_address_length" CHECK (char_length("audit_entry"."address") <= 64),
	CONSTRAINT "audit_entry_action_length" CHECK (char_length("audit_entry"."action") <= 60),
	CONSTRAINT "audit_entry_object_name_length" CHECK (char_length("audit_entry"."object_name") <= 300)
);
--> statement-breakpoint
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_actor" FOREIGN KEY ("tenant_id","actor_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entry_tenant_id_created_at_id_index" ON "audit_entry" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entry_tenant_id_action_created_at_id_index" ON "audit_entry" USING btree ("tenant_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entry_tenant_id_actor_id_created_at_id_index" ON "audit_entry" USING btree ("tenant_id","actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entry_tenant_id_object_id_created_at_id_index" ON "audit_entry" USING btree ("tenant_id","object_id","created_at","id");--> statement-breakpoint
select isolate_tenants('audit_entry');
--> statement-breakpoint
-- Refuses every change of an append-only table. A trigger and no REVOKE, because the role of the product owns the tables.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
--> statement-breakpoint
create trigger append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();
