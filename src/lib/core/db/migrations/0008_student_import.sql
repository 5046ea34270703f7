CREATE TABLE "student_import" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"by" uuid NOT NULL,
	"actor" jsonb NOT NULL,
	"state" text NOT NULL,
	"file_name" text NOT NULL,
	"heading" jsonb NOT NULL,
	"mapping" jsonb NOT NULL,
	"course_id" uuid,
	"group_id" uuid,
	"tag" text,
	"total" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "student_import_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "student_import_state_enum" CHECK ("student_import"."state" in ('mapping', 'ready', 'queued', 'running', 'done')),
	CONSTRAINT "student_import_total_range" CHECK ("student_import"."total" >= 0),
	CONSTRAINT "student_import_file_name_length" CHECK (char_length("student_import"."file_name") <= 200),
	CONSTRAINT "student_import_tag_length" CHECK (char_length("student_import"."tag") <= 40)
);
--> statement-breakpoint
CREATE TABLE "student_import_column" (
	"tenant_id" uuid NOT NULL,
	"heading" text NOT NULL,
	"field" text,
	CONSTRAINT "student_import_column_tenant_id_heading_pk" PRIMARY KEY("tenant_id","heading"),
	CONSTRAINT "student_import_column_field_enum" CHECK ("student_import_column"."field" in ('email', 'fullName', 'firstName', 'lastName', 'phone', 'tags', 'course', 'group')),
	CONSTRAINT "student_import_column_heading_length" CHECK (char_length("student_import_column"."heading") <= 200)
);
--> statement-breakpoint
CREATE TABLE "student_import_row" (
	"tenant_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"cells" jsonb NOT NULL,
	"email" text,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"phone" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"course_id" uuid,
	"group_id" uuid,
	"verdict" text,
	"reason" text,
	"student_id" uuid,
	CONSTRAINT "student_import_row_tenant_id_import_id_number_pk" PRIMARY KEY("tenant_id","import_id","number"),
	CONSTRAINT "student_import_row_verdict_enum" CHECK ("student_import_row"."verdict" in ('new', 'existing', 'failed', 'added', 'unchanged', 'changed')),
	CONSTRAINT "student_import_row_reason_enum" CHECK ("student_import_row"."reason" in ('email_missing', 'email_invalid', 'duplicate', 'limit_student_count', 'unknown_course', 'unknown_group', 'tag_invalid', 'blocked', 'course_archived', 'refused')),
	CONSTRAINT "student_import_row_number_range" CHECK ("student_import_row"."number" >= 0),
	CONSTRAINT "student_import_row_email_length" CHECK (char_length("student_import_row"."email") <= 254),
	CONSTRAINT "student_import_row_first_name_length" CHECK (char_length("student_import_row"."first_name") <= 80),
	CONSTRAINT "student_import_row_last_name_length" CHECK (char_length("student_import_row"."last_name") <= 80),
	CONSTRAINT "student_import_row_phone_length" CHECK (char_length("student_import_row"."phone") <= 40)
);
--> statement-breakpoint
ALTER TABLE "student_import" ADD CONSTRAINT "student_import_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_import" ADD CONSTRAINT "student_import_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_import_column" ADD CONSTRAINT "student_import_column_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_import_row" ADD CONSTRAINT "student_import_row_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_import_row" ADD CONSTRAINT "student_import_row_import" FOREIGN KEY ("tenant_id","import_id") REFERENCES "public"."student_import"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_import_row" ADD CONSTRAINT "student_import_row_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "student_import_tenant_id_by_created_at_index" ON "student_import" USING btree ("tenant_id","by","created_at");--> statement-breakpoint
CREATE INDEX "student_import_row_tenant_id_student_id_index" ON "student_import_row" USING btree ("tenant_id","student_id") WHERE student_id is not null;--> statement-breakpoint
CREATE INDEX "student_import_row_waiting" ON "student_import_row" USING btree ("tenant_id","import_id","number") WHERE verdict in ('new', 'existing');--> statement-breakpoint
CREATE INDEX "student_import_row_tenant_id_import_id_verdict_number_index" ON "student_import_row" USING btree ("tenant_id","import_id","verdict","number");
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['student_import', 'student_import_row', 'student_import_column']::regclass[]) t;
--> statement-breakpoint
-- The address of a student who bounced is corrected at the account, or by moving the student to another account.
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
create or replace function copy_membership_to_student() returns trigger language plpgsql as $$
declare
  clears_bounce boolean := tg_op = 'UPDATE';
begin
  if is_restoring() then return null; end if;
  if clears_bounce then
    clears_bounce := new.user_id <> old.user_id or (new.status = 'accepted' and old.status <> 'accepted');
  end if;
  insert into student (tenant_id, id, user_id, name, email, phone, status, created_at, blocked_at, last_active_at)
  select new.tenant_id, new.id, new.user_id, trim(u.first_name || ' ' || u.last_name), u.email, u.phone,
         case new.status when 'active' then 'accepted' else new.status end, new.created_at, new.blocked_at, new.last_active_at
    from "user" u where u.id = new.user_id
  on conflict (tenant_id, id) do update
    set status = case when student.bounced_at is null or clears_bounce then excluded.status else 'unknown' end,
        bounced_at = case when clears_bounce then null else student.bounced_at end,
        created_at = excluded.created_at, blocked_at = excluded.blocked_at,
        last_active_at = greatest(student.last_active_at, excluded.last_active_at),
        user_id = excluded.user_id,
        name = case when student.user_id = excluded.user_id then student.name else excluded.name end,
        email = case when student.user_id = excluded.user_id then student.email else excluded.email end,
        phone = case when student.user_id = excluded.user_id then student.phone else excluded.phone end,
        revision = student.revision + (student.user_id <> excluded.user_id)::int;
  return null;
end $$;
