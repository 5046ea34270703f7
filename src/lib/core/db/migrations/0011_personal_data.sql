ALTER TABLE "data_export" DROP CONSTRAINT "data_export_tokenHash_unique";--> statement-breakpoint
CREATE UNIQUE INDEX "data_export_queued" ON "data_export" USING btree ("user_id") WHERE state = 'queued';--> statement-breakpoint
ALTER TABLE "data_export" DROP COLUMN "token_hash";