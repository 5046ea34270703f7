CREATE TABLE "meeting_message" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"offset_ms" integer NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"held" text,
	"author_id" uuid,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"reply_to" uuid,
	"pinned" boolean DEFAULT false NOT NULL,
	"reactions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"answer" jsonb,
	CONSTRAINT "meeting_message_tenant_id_session_id_id_pk" PRIMARY KEY("tenant_id","session_id","id")
);
--> statement-breakpoint
CREATE TABLE "meeting_reaction" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"emoji" text NOT NULL,
	CONSTRAINT "meeting_reaction_tenant_id_session_id_message_id_person_id_emoji_pk" PRIMARY KEY("tenant_id","session_id","message_id","person_id","emoji")
);
--> statement-breakpoint
ALTER TABLE "meeting_message" ADD CONSTRAINT "meeting_message_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_message" ADD CONSTRAINT "meeting_message_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_reaction" ADD CONSTRAINT "meeting_reaction_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_reaction" ADD CONSTRAINT "meeting_reaction_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."workshop_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "meeting_message_tenant_id_session_id_seq_index" ON "meeting_message" USING btree ("tenant_id","session_id","seq");--> statement-breakpoint
CREATE INDEX "meeting_message_tenant_id_session_id_kind_seq_index" ON "meeting_message" USING btree ("tenant_id","session_id","kind","seq");--> statement-breakpoint
CREATE INDEX "meeting_message_tenant_id_session_id_author_id_at_index" ON "meeting_message" USING btree ("tenant_id","session_id","author_id","at");--> statement-breakpoint
CREATE INDEX "meeting_reaction_tenant_id_session_id_person_id_index" ON "meeting_reaction" USING btree ("tenant_id","session_id","person_id");--> statement-breakpoint
select wall('meeting_message'::regclass);--> statement-breakpoint
select wall('meeting_reaction'::regclass);
