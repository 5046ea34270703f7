CREATE TABLE "stale_progress" (
	"tenant_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stale_progress_tenant_id_course_id_pk" PRIMARY KEY("tenant_id","course_id")
);
--> statement-breakpoint
CREATE TABLE "student" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"email" text NOT NULL,
	"phone" text,
	"status" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"blocked_at" timestamp with time zone,
	"last_active_at" timestamp with time zone,
	"progress" integer,
	"overdue_count" integer DEFAULT 0 NOT NULL,
	"deleted_at" timestamp with time zone,
	"anonymized_at" timestamp with time zone,
	CONSTRAINT "student_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "student_status_enum" CHECK ("student"."status" in ('invited', 'registered', 'accepted', 'unknown')),
	CONSTRAINT "student_overdue_count_range" CHECK ("student"."overdue_count" >= 0),
	CONSTRAINT "student_progress_range" CHECK ("student"."progress" between 0 and 100),
	CONSTRAINT "student_email_length" CHECK (char_length("student"."email") <= 254)
);
--> statement-breakpoint
CREATE TABLE "student_tag" (
	"tenant_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"tag" text NOT NULL,
	CONSTRAINT "student_tag_tenant_id_student_id_tag_pk" PRIMARY KEY("tenant_id","student_id","tag"),
	CONSTRAINT "student_tag_tag_length" CHECK (char_length("student_tag"."tag") <= 40)
);
--> statement-breakpoint
CREATE TABLE "student_view" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "student_view_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "student_view_tenantId_memberId_name_unique" UNIQUE("tenant_id","member_id","name"),
	CONSTRAINT "student_view_name_length" CHECK (char_length("student_view"."name") <= 60),
	CONSTRAINT "student_view_query_length" CHECK (char_length("student_view"."query") <= 2000)
);
--> statement-breakpoint
ALTER TABLE "stale_progress" ADD CONSTRAINT "stale_progress_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student" ADD CONSTRAINT "student_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student" ADD CONSTRAINT "student_membership" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_tag" ADD CONSTRAINT "student_tag_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_tag" ADD CONSTRAINT "student_tag_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."student"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_view" ADD CONSTRAINT "student_view_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_view" ADD CONSTRAINT "student_view_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "student_tenant_id_user_id_index" ON "student" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "student_name" ON "student" USING btree ("tenant_id",coalesce(nullif("name", ''), "email") collate natural_order,"id");--> statement-breakpoint
CREATE INDEX "student_created" ON "student" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "student_active" ON "student" USING btree ("tenant_id",coalesce("last_active_at", '-infinity'),"id");--> statement-breakpoint
CREATE INDEX "student_progress" ON "student" USING btree ("tenant_id",coalesce("progress", -1),"id");--> statement-breakpoint
CREATE INDEX "student_overdue" ON "student" USING btree ("tenant_id","overdue_count","id");--> statement-breakpoint
CREATE INDEX "student_status" ON "student" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "student_deleted" ON "student" USING btree ("tenant_id","deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "student_tag_tenant_id_tag_student_id_index" ON "student_tag" USING btree ("tenant_id","tag","student_id");--> statement-breakpoint
CREATE INDEX "access_grant_group" ON "access_grant" USING btree ("tenant_id","source_id","student_id") WHERE source_type = 'group';--> statement-breakpoint
CREATE INDEX "user_phone" ON "user" USING gin (regexp_replace("phone", '[^0-9]', '', 'g') gin_trgm_ops);
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['student', 'student_tag', 'student_view', 'stale_progress']::regclass[]) t;
--> statement-breakpoint
-- ---------------------------------------------------------------- Triggers that update `student`
-- A restore copies the rows unchanged: `app.restoring` prevents the triggers from writing them first.

-- The progress of students in percent of the published lessons of all courses that they have access to.
create function refresh_student_progress(ids uuid[]) returns void language sql as $$
  update student s set progress = computed.percent
    from (
      select i.id, (100 * sum(least(done.lessons, c.published_lesson_count)) / nullif(sum(c.published_lesson_count), 0))::int as percent
        from (select distinct unnest(ids) as id) i
        left join (select distinct student_id, course_id from access_grant
                    where tenant_id = current_tenant() and student_id = any(ids) and revoked_at is null) g on g.student_id = i.id
        left join course c on c.tenant_id = current_tenant() and c.id = g.course_id
        left join lateral (
          select count(*) as lessons
            from lesson_progress p
            join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
            join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
           where p.tenant_id = current_tenant() and p.course_id = g.course_id and p.student_id = i.id
             and p.completed_at is not null and l.published_version is not null and not l.hidden and not m.hidden
             and l.deleted_at is null and m.deleted_at is null) done on true
       group by i.id) computed
   where s.tenant_id = current_tenant() and s.id = computed.id and s.progress is distinct from computed.percent;
$$;
--> statement-breakpoint
create function is_restoring() returns boolean language sql stable
  return coalesce(current_setting('app.restoring', true), '') = 'on';
--> statement-breakpoint
create function copy_membership_to_student() returns trigger language plpgsql as $$
begin
  if is_restoring() then return null; end if;
  insert into student (tenant_id, id, user_id, name, email, phone, status, created_at, blocked_at, last_active_at)
  select new.tenant_id, new.id, new.user_id, trim(u.first_name || ' ' || u.last_name), u.email, u.phone,
         case new.status when 'active' then 'accepted' else new.status end, new.created_at, new.blocked_at, new.last_active_at
    from "user" u where u.id = new.user_id
  on conflict (tenant_id, id) do update
    set status = excluded.status, created_at = excluded.created_at, blocked_at = excluded.blocked_at,
        last_active_at = greatest(student.last_active_at, excluded.last_active_at);
  return null;
end $$;
--> statement-breakpoint
create trigger student_of_membership after insert or update of status, created_at, blocked_at, last_active_at on membership
  for each row when (new.account_type = 'ACCOUNT_TYPE_STUDENT') execute function copy_membership_to_student();
--> statement-breakpoint
-- The person may be a student of several tenants: each of them is set in turn.
create function copy_user_to_students() returns trigger language plpgsql as $$
declare
  entered_tenant_id uuid;
  tenant_before text := coalesce(current_setting('app.tenant_id', true), '');
  person_before text := coalesce(current_setting('app.user_id', true), '');
begin
  if is_restoring() then return null; end if;
  perform set_config('app.user_id', new.id::text, true);
  for entered_tenant_id in select tenant_id from membership where user_id = new.id and account_type = 'ACCOUNT_TYPE_STUDENT' loop
    perform set_config('app.tenant_id', entered_tenant_id::text, true);
    update student set name = trim(new.first_name || ' ' || new.last_name), email = new.email, phone = new.phone
     where tenant_id = entered_tenant_id and user_id = new.id and anonymized_at is null;
  end loop;
  perform set_config('app.tenant_id', tenant_before, true);
  perform set_config('app.user_id', person_before, true);
  return null;
end $$;
--> statement-breakpoint
create trigger students_of_user after update of first_name, last_name, email, phone on "user"
  for each row execute function copy_user_to_students();
--> statement-breakpoint
-- The session is updated every five minutes of use. Of two sessions of one student only one has to write.
create function copy_session_to_student() returns trigger language plpgsql as $$
begin
  update student set last_active_at = new.last_seen_at
   where tenant_id = current_tenant() and id = (
     select id from student where tenant_id = current_tenant() and user_id = new.user_id for update skip locked);
  return null;
end $$;
--> statement-breakpoint
create trigger student_of_session after update of last_seen_at on session
  for each row execute function copy_session_to_student();
--> statement-breakpoint
create function progress_of_added_rows() returns trigger language plpgsql as $$
begin
  if not is_restoring() then
    perform refresh_student_progress(array(select distinct student_id from added where completed_at is not null));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger student_progress_added after insert on lesson_progress
  referencing new table as added for each statement execute function progress_of_added_rows();
--> statement-breakpoint
create function progress_of_changed_rows() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select distinct c.student_id from changed c join former f
        on f.tenant_id = c.tenant_id and f.student_id = c.student_id and f.lesson_id = c.lesson_id
     where (f.completed_at is null) <> (c.completed_at is null));
begin
  if cardinality(ids) > 0 and not is_restoring() then perform refresh_student_progress(ids); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger student_progress_changed after update on lesson_progress
  referencing old table as former new table as changed for each statement execute function progress_of_changed_rows();
--> statement-breakpoint
create function progress_of_grants() returns trigger language plpgsql as $$
begin
  if not is_restoring() then perform refresh_student_progress(array(select distinct student_id from changed)); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger student_progress_granted after insert on access_grant
  referencing new table as changed for each statement execute function progress_of_grants();
--> statement-breakpoint
create trigger student_progress_regranted after update on access_grant
  referencing new table as changed for each statement execute function progress_of_grants();
--> statement-breakpoint
create trigger student_progress_ungranted after delete on access_grant
  referencing old table as changed for each statement execute function progress_of_grants();
--> statement-breakpoint
-- A course may have 50,000 students: the update of their progress is not part of the author's request.
create function mark_stale_progress() returns trigger language plpgsql as $$
begin
  if not is_restoring() then
    insert into stale_progress (tenant_id, course_id) values (new.tenant_id, new.id)
    on conflict (tenant_id, course_id) do update set since = now();
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger stale_progress_of_course after update of published_lesson_count on course
  for each row when (old.published_lesson_count <> new.published_lesson_count) execute function mark_stale_progress();
--> statement-breakpoint
select for_each_tenant($$
  insert into student (tenant_id, id, user_id, name, email, phone, status, created_at, blocked_at, last_active_at)
  select m.tenant_id, m.id, m.user_id, trim(u.first_name || ' ' || u.last_name), u.email, u.phone,
         case m.status when 'active' then 'accepted' else m.status end, m.created_at, m.blocked_at,
         coalesce(m.last_active_at, (select max(p.last_opened_at) from lesson_progress p
           where p.tenant_id = m.tenant_id and p.student_id = m.id))
    from membership m join "user" u on u.id = m.user_id where m.account_type = 'ACCOUNT_TYPE_STUDENT' $$);
--> statement-breakpoint
select for_each_tenant($$ select refresh_student_progress(array(select id from student)) $$);
