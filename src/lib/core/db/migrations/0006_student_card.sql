CREATE TABLE "student_note" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "student_note_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "student_note_revision_range" CHECK ("student_note"."revision" >= 1),
	CONSTRAINT "student_note_text_length" CHECK (char_length("student_note"."text") <= 5000)
);
--> statement-breakpoint
CREATE TABLE "data_export" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"token_hash" "bytea",
	"size" bigint,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "data_export_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "data_export_state_enum" CHECK ("data_export"."state" in ('queued', 'ready', 'failed', 'removed'))
);
--> statement-breakpoint
CREATE TABLE "deletion_request" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_correction" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	CONSTRAINT "email_correction_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "email_correction_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "email_correction_email_length" CHECK (char_length("email_correction"."email") <= 254)
);
--> statement-breakpoint
CREATE TABLE "login_link" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "login_link_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "login_link_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "login_link_email_length" CHECK (char_length("login_link"."email") <= 254)
);
--> statement-breakpoint
CREATE TABLE "impersonation" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "impersonation_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "impersonation_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "student_note" ADD CONSTRAINT "student_note_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_note" ADD CONSTRAINT "student_note_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_note" ADD CONSTRAINT "student_note_author" FOREIGN KEY ("tenant_id","author_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_export" ADD CONSTRAINT "data_export_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletion_request" ADD CONSTRAINT "deletion_request_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_correction" ADD CONSTRAINT "email_correction_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_correction" ADD CONSTRAINT "email_correction_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_correction" ADD CONSTRAINT "email_correction_requested_by" FOREIGN KEY ("tenant_id","requested_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_link" ADD CONSTRAINT "login_link_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_link" ADD CONSTRAINT "login_link_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_link" ADD CONSTRAINT "login_link_requested_by" FOREIGN KEY ("tenant_id","requested_by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impersonation" ADD CONSTRAINT "impersonation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impersonation" ADD CONSTRAINT "impersonation_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impersonation" ADD CONSTRAINT "impersonation_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "student_note_tenant_id_student_id_created_at_id_index" ON "student_note" USING btree ("tenant_id","student_id","created_at","id");--> statement-breakpoint
CREATE INDEX "student_note_tenant_id_author_id_index" ON "student_note" USING btree ("tenant_id","author_id");--> statement-breakpoint
CREATE INDEX "data_export_user_id_requested_at_index" ON "data_export" USING btree ("user_id","requested_at");--> statement-breakpoint
CREATE INDEX "data_export_state_expires_at_index" ON "data_export" USING btree ("state","expires_at");--> statement-breakpoint
CREATE INDEX "email_correction_tenant_id_student_id_index" ON "email_correction" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "email_correction_tenant_id_requested_by_index" ON "email_correction" USING btree ("tenant_id","requested_by");--> statement-breakpoint
CREATE INDEX "login_link_tenant_id_student_id_index" ON "login_link" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "login_link_tenant_id_requested_by_index" ON "login_link" USING btree ("tenant_id","requested_by");--> statement-breakpoint
CREATE INDEX "impersonation_tenant_id_member_id_index" ON "impersonation" USING btree ("tenant_id","member_id");--> statement-breakpoint
CREATE INDEX "impersonation_tenant_id_student_id_index" ON "impersonation" USING btree ("tenant_id","student_id");--> statement-breakpoint
CREATE INDEX "impersonation_open" ON "impersonation" USING btree ("tenant_id","expires_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "mail_tenant_id_to_created_at_index" ON "mail" USING btree ("tenant_id","to","created_at");--> statement-breakpoint
CREATE INDEX "registration_tenant_id_email_index" ON "registration" USING btree ("tenant_id","email");--> statement-breakpoint
ALTER TABLE "student" ADD CONSTRAINT "student_revision_range" CHECK ("student"."revision" >= 1);--> statement-breakpoint
select isolate_tenants(t) from unnest(array['student_note', 'email_correction', 'login_link', 'impersonation']::regclass[]) t;
--> statement-breakpoint
-- Whether a person has other memberships than `member`, and whether they are in the team of a school or have a pending
-- sign-up.
create function account_scope(person uuid, member uuid, out is_shared boolean, out is_staff boolean) language plpgsql as $$
declare
  person_before text := coalesce(current_setting('app.user_id', true), '');
begin
  perform set_config('app.user_id', person::text, true);
  select coalesce(bool_or(m.id <> member), false),
         coalesce(bool_or(m.account_type <> 'ACCOUNT_TYPE_STUDENT' and m.removed_at is null), false)
         or exists (select 1 from sign_up u where u.user_id = person)
    into is_shared, is_staff from membership m where m.user_id = person;
  perform set_config('app.user_id', person_before, true);
end $$;
--> statement-breakpoint
-- The profile of a student has one revision, also where the person changes the own account.
create or replace function copy_user_to_students() returns trigger language plpgsql as $$
declare
  entered_tenant_id uuid;
  tenant_before text := coalesce(current_setting('app.tenant_id', true), '');
  person_before text := coalesce(current_setting('app.user_id', true), '');
begin
  if is_restoring() then return null; end if;
  if (old.first_name, old.last_name, old.email, old.phone, old.locale, old.time_zone)
     is not distinct from (new.first_name, new.last_name, new.email, new.phone, new.locale, new.time_zone) then
    return null;
  end if;
  perform set_config('app.user_id', new.id::text, true);
  for entered_tenant_id in select tenant_id from membership where user_id = new.id and account_type = 'ACCOUNT_TYPE_STUDENT' loop
    perform set_config('app.tenant_id', entered_tenant_id::text, true);
    update student set name = trim(new.first_name || ' ' || new.last_name), email = new.email, phone = new.phone,
           revision = revision + 1
     where tenant_id = entered_tenant_id and user_id = new.id and anonymized_at is null;
    if new.email <> old.email then
      update student s set bounced_at = null, status = case m.status when 'active' then 'accepted' else m.status end
        from membership m
       where s.tenant_id = entered_tenant_id and s.user_id = new.id and s.bounced_at is not null
         and m.tenant_id = entered_tenant_id and m.id = s.id;
    end if;
  end loop;
  perform set_config('app.tenant_id', tenant_before, true);
  perform set_config('app.user_id', person_before, true);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger students_of_user after update of first_name, last_name, email, phone, locale, time_zone on "user"
  for each row execute function copy_user_to_students();
--> statement-breakpoint
-- A corrected email address may move a student to another account.
create or replace function copy_membership_to_student() returns trigger language plpgsql as $$
begin
  if is_restoring() then return null; end if;
  insert into student (tenant_id, id, user_id, name, email, phone, status, created_at, blocked_at, last_active_at)
  select new.tenant_id, new.id, new.user_id, trim(u.first_name || ' ' || u.last_name), u.email, u.phone,
         case new.status when 'active' then 'accepted' else new.status end, new.created_at, new.blocked_at, new.last_active_at
    from "user" u where u.id = new.user_id
  on conflict (tenant_id, id) do update
    set status = case when student.bounced_at is null or student.user_id <> excluded.user_id
                     or (new.status = 'accepted' and old.status <> 'accepted')
                   then excluded.status else 'unknown' end,
        bounced_at = case when student.user_id <> excluded.user_id or (new.status = 'accepted' and old.status <> 'accepted')
                       then null else student.bounced_at end,
        created_at = excluded.created_at, blocked_at = excluded.blocked_at,
        last_active_at = greatest(student.last_active_at, excluded.last_active_at),
        user_id = excluded.user_id,
        name = case when student.user_id = excluded.user_id then student.name else excluded.name end,
        email = case when student.user_id = excluded.user_id then student.email else excluded.email end,
        phone = case when student.user_id = excluded.user_id then student.phone else excluded.phone end,
        revision = student.revision + (student.user_id <> excluded.user_id)::int;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger student_of_membership
  after insert or update of status, created_at, blocked_at, last_active_at, user_id on membership
  for each row when (new.account_type = 'ACCOUNT_TYPE_STUDENT') execute function copy_membership_to_student();
--> statement-breakpoint
-- The first request of a login session counts as activity: until then only its creation is stored.
do $$
declare
  definition text := pg_get_functiondef('open_session(bytea, text)'::regprocedure);
  stale text := 'session.last_seen_at < now() - interval ''5 minutes'' as stale';
begin
  if position(stale in definition) = 0 then raise exception 'open_session has another definition'; end if;
  execute replace(definition, stale,
    '(session.last_seen_at < now() - interval ''5 minutes'' or session.last_seen_at = session.created_at) as stale');
end $$;
