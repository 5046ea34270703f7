ALTER TABLE "video" ADD COLUMN "waits_for_disk" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "video" ADD COLUMN "truncated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Courses without an expert get their author: the member who imported the course, else the first one known to have
-- changed it, else the owner of the tenant; only members who may write courses now. Forced row-level security binds
-- this role too, so each tenant is entered in turn.
do $$
declare
  school uuid;
  before text := coalesce(current_setting('app.tenant_id', true), '');
begin
  for school in select id from tenant order by id loop
    perform set_config('app.tenant_id', school::text, true);
    insert into course_staff (tenant_id, course_id, member_id, role)
    select school, c.id, author.id, 'expert'
    from course c
    cross join lateral (
      select m.id
      from membership m
      left join lateral (
        select 1 as rank, t.created_at as at from transfer t where t.course_id = c.id and t.by = m.id
        union all
        select 2, r.at from lesson_revision r join lesson l on l.id = r.lesson_id
          where l.course_id = c.id and r.by = m.id
        union all
        select 2, o.at from outline_change o where o.course_id = c.id and o.by = m.id
        union all
        select 3, l.updated_at from lesson l where l.course_id = c.id and l.updated_by = m.id
        order by rank, at
        limit 1
      ) trace on true
      where m.tenant_id = school
        and m.account_type <> 'ACCOUNT_TYPE_STUDENT'
        and m.roles && array['OWNER', 'DIRECTOR', 'EXPERT']
        and m.blocked_at is null
        and (trace.rank is not null or m.account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER')
      order by trace.rank nulls last, trace.at, m.created_at, m.id
      limit 1
    ) author
    where not exists (select from course_staff s where s.course_id = c.id and s.role = 'expert')
    on conflict do nothing;
  end loop;
  perform set_config('app.tenant_id', before, true);
end $$;
