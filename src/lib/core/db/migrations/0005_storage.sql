-- The wall comes down for its owner while rows and references change; see 0001.
ALTER TABLE "file" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "membership" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "caption" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"lang" text NOT NULL,
	"text" text NOT NULL,
	"auto" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "caption_tenant_id_file_id_lang_pk" PRIMARY KEY("tenant_id","file_id","lang")
);
--> statement-breakpoint
CREATE TABLE "file_state" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"event" text NOT NULL,
	"detail" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_state_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "file_use" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"user_kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_use_tenant_id_file_id_user_kind_user_id_pk" PRIMARY KEY("tenant_id","file_id","user_kind","user_id")
);
--> statement-breakpoint
CREATE TABLE "playback" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"seconds" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "playback_tenant_id_file_id_member_id_pk" PRIMARY KEY("tenant_id","file_id","member_id")
);
--> statement-breakpoint
CREATE TABLE "storage_use" (
	"tenant_id" uuid NOT NULL,
	"original" bigint DEFAULT 0 NOT NULL,
	"made" bigint DEFAULT 0 NOT NULL,
	"promised" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "storage_use_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "upload" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"parent_id" uuid,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"mime" text NOT NULL,
	"size" bigint NOT NULL,
	"sample" text NOT NULL,
	"store_id" text NOT NULL,
	"state" text DEFAULT 'uploadStarted' NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "upload_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "video" (
	"tenant_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"failure_detail" text,
	"duration" integer,
	"has_picture" boolean DEFAULT false NOT NULL,
	"has_sound" boolean DEFAULT false NOT NULL,
	"renditions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"sound_ready" boolean DEFAULT false NOT NULL,
	"posters" integer DEFAULT 0 NOT NULL,
	"poster" integer DEFAULT 0 NOT NULL,
	"storyboard" jsonb,
	"chapters" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"suggested_name" text,
	"suggested_description" text,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "video_tenant_id_file_id_pk" PRIMARY KEY("tenant_id","file_id")
);
--> statement-breakpoint
ALTER TABLE "file" ALTER COLUMN "mime" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "file" ALTER COLUMN "size" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "file" ALTER COLUMN "sha256" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "kind" text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "sample" text;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "width" integer;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "height" integer;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "widths" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "deleted_with" uuid;--> statement-breakpoint
ALTER TABLE "caption" ADD CONSTRAINT "caption_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caption" ADD CONSTRAINT "caption_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_state" ADD CONSTRAINT "file_state_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_use" ADD CONSTRAINT "file_use_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_use" ADD CONSTRAINT "file_use_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback" ADD CONSTRAINT "playback_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback" ADD CONSTRAINT "playback_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback" ADD CONSTRAINT "playback_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "storage_use" ADD CONSTRAINT "storage_use_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_owner" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video" ADD CONSTRAINT "video_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video" ADD CONSTRAINT "video_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_state_tenant_id_file_id_at_index" ON "file_state" USING btree ("tenant_id","file_id","at");--> statement-breakpoint
CREATE INDEX "file_use_tenant_id_user_kind_user_id_index" ON "file_use" USING btree ("tenant_id","user_kind","user_id");--> statement-breakpoint
CREATE INDEX "upload_tenant_id_owner_id_state_created_at_index" ON "upload" USING btree ("tenant_id","owner_id","state","created_at");--> statement-breakpoint
CREATE INDEX "upload_state_touched_at_index" ON "upload" USING btree ("state","touched_at");--> statement-breakpoint
CREATE INDEX "video_state_queued_at_index" ON "video" USING btree ("state","queued_at");--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_parent" FOREIGN KEY ("tenant_id","parent_id") REFERENCES "public"."file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "file_folder_name" ON "file" USING btree ("tenant_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'::uuid),"name") WHERE "file"."kind" = 'folder' and "file"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "file_tenant_id_parent_id_size_id_index" ON "file" USING btree ("tenant_id","parent_id","size","id");--> statement-breakpoint
CREATE INDEX "file_tenant_id_parent_id_created_at_id_index" ON "file" USING btree ("tenant_id","parent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "file_tenant_id_size_index" ON "file" USING btree ("tenant_id","size");--> statement-breakpoint
CREATE INDEX "file_tenant_id_sample_index" ON "file" USING btree ("tenant_id","sample");--> statement-breakpoint
CREATE INDEX "file_tenant_id_deleted_at_index" ON "file" USING btree ("tenant_id","deleted_at");
--> statement-breakpoint
-- Until now only pictures were stored.
UPDATE "file" SET "kind" = 'image';
--> statement-breakpoint
INSERT INTO "storage_use" ("tenant_id", "original") SELECT "tenant_id", sum("size") FROM "file" GROUP BY "tenant_id";
--> statement-breakpoint
ALTER TABLE "file" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "membership" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
select wall(t) from unnest(array['upload', 'video', 'file_state', 'caption', 'file_use', 'storage_use', 'playback']::regclass[]) t;
--> statement-breakpoint
-- Names as people sort them: by the Ukrainian alphabet, and "2" before "10". Folders come first.
create collation natural_order (provider = icu, locale = 'uk-u-kn-true');
--> statement-breakpoint
create index file_by_name on file (tenant_id, parent_id, (kind <> 'folder'), name collate natural_order, id) where deleted_at is null;
