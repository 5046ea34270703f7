-- Existing rows get an id by the default, which the application sets itself afterwards.
ALTER TABLE "chat_file" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_file" ALTER COLUMN "id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "chat_file" DROP CONSTRAINT "chat_file_tenant_id_file_id_pk";--> statement-breakpoint
ALTER TABLE "chat_file" ADD CONSTRAINT "chat_file_tenant_id_id_pk" PRIMARY KEY("tenant_id","id");--> statement-breakpoint
ALTER TABLE "chat_file" ADD CONSTRAINT "chat_file_once" UNIQUE NULLS NOT DISTINCT("tenant_id","file_id","conversation_id","seq");
