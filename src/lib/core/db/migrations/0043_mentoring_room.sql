CREATE TABLE "mentoring_room" (
	"tenant_id" uuid NOT NULL,
	"workshop_id" uuid NOT NULL,
	"mentor_session_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mentoring_room_tenant_id_workshop_id_pk" PRIMARY KEY("tenant_id","workshop_id")
);
--> statement-breakpoint
ALTER TABLE "mentor_program" DROP CONSTRAINT "mentor_program_place_enum";--> statement-breakpoint
ALTER TABLE "mentoring_room" ADD CONSTRAINT "mentoring_room_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentoring_room" ADD CONSTRAINT "mentoring_room_event" FOREIGN KEY ("tenant_id","workshop_id") REFERENCES "public"."workshop"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentoring_room" ADD CONSTRAINT "mentoring_room_session" FOREIGN KEY ("tenant_id","mentor_session_id") REFERENCES "public"."mentor_session"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mentoring_room_tenant_id_mentor_session_id_created_at_index" ON "mentoring_room" USING btree ("tenant_id","mentor_session_id","created_at");--> statement-breakpoint
ALTER TABLE "mentor_program" ADD CONSTRAINT "mentor_program_place_enum" CHECK ("mentor_program"."place" in ('room', 'link', 'phone', 'office'));--> statement-breakpoint
select isolate_tenants('mentoring_room');
