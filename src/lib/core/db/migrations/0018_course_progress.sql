CREATE TABLE "course_progress" (
	"tenant_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"completed" integer NOT NULL,
	CONSTRAINT "course_progress_tenant_id_course_id_student_id_pk" PRIMARY KEY("tenant_id","course_id","student_id"),
	CONSTRAINT "course_progress_completed_range" CHECK ("course_progress"."completed" >= 0)
);
--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_course" FOREIGN KEY ("tenant_id","course_id") REFERENCES "public"."course"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_student" FOREIGN KEY ("tenant_id","student_id") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "course_progress_tenant_id_student_id_index" ON "course_progress" USING btree ("tenant_id","student_id");--> statement-breakpoint
select isolate_tenants('course_progress');
--> statement-breakpoint
-- The completed lessons of students in each course that they have access to, and the progress of the students in percent
-- of the published lessons of all these courses.
create or replace function refresh_student_progress(ids uuid[]) returns void language sql as $$
  with enrolment as (
    select distinct student_id, course_id from access_grant
     where tenant_id = current_tenant() and student_id = any(ids) and revoked_at is null),
  counted as (
    select e.student_id, e.course_id, done.lessons
      from enrolment e cross join lateral (
        select count(*)::int as lessons
          from lesson_progress p
          join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
          join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
         where p.tenant_id = current_tenant() and p.course_id = e.course_id and p.student_id = e.student_id
           and p.completed_at is not null and l.published_version is not null and not l.hidden and not m.hidden
           and l.deleted_at is null and m.deleted_at is null) done),
  stored as (
    insert into course_progress (tenant_id, course_id, student_id, completed)
    select current_tenant(), course_id, student_id, lessons from counted order by course_id, student_id
    on conflict (tenant_id, course_id, student_id) do update set completed = excluded.completed
      where course_progress.completed <> excluded.completed),
  ended as (
    delete from course_progress p
     where p.tenant_id = current_tenant() and p.student_id = any(ids)
       and not exists (select 1 from enrolment e where e.student_id = p.student_id and e.course_id = p.course_id)),
  computed as (
    select i.id, (100 * sum(least(d.lessons, c.published_lesson_count)) / nullif(sum(c.published_lesson_count), 0))::int as percent
      from (select distinct unnest(ids) as id) i
      left join counted d on d.student_id = i.id
      left join course c on c.tenant_id = current_tenant() and c.id = d.course_id
     group by i.id)
  update student s set progress = computed.percent from computed
   where s.tenant_id = current_tenant() and s.id = computed.id and s.progress is distinct from computed.percent;
$$;
--> statement-breakpoint
select for_each_tenant($$ select refresh_student_progress(array(select id from student)) $$);
