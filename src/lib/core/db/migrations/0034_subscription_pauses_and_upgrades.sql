ALTER TABLE "sales_order" DROP CONSTRAINT "sales_order_state_enum";--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "upgrades_offer_id" uuid;--> statement-breakpoint
select without_forced_row_security(array['offer']::regclass[], $$
  alter table offer add constraint offer_upgrades foreign key (tenant_id, upgrades_offer_id) references offer (tenant_id, id)
$$);--> statement-breakpoint
CREATE INDEX "sales_order_due" ON "sales_order" USING btree ("tenant_id","next_due_at") WHERE state in ('active', 'overdue');--> statement-breakpoint
CREATE INDEX "offer_tenant_id_upgrades_offer_id_index" ON "offer" USING btree ("tenant_id","upgrades_offer_id") WHERE "offer"."upgrades_offer_id" is not null;--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_state_enum" CHECK ("sales_order"."state" in ('new', 'awaiting_payment', 'paid', 'partially_refunded', 'refunded', 'expired', 'canceled', 'active', 'overdue', 'suspended', 'paused', 'completed'));