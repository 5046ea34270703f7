import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'

/*
 * Domain functions set the current time, but a demo school needs past times: they are moved back here, at the end of
 * the same transaction. Ages are in days.
 */

/**
 * Moves the acceptance and lessons of a student back: the first lesson follows the acceptance, the last one was `last`
 * days ago.
 */
export async function ageStudent(
  school: { tenantId: string },
  studentId: string,
  { joined, last }: { joined: number; last: number },
): Promise<void> {
  await inTenant(school, async (tx) => {
    await tx.execute(sql`update membership set created_at = ${ago(joined + 1)}, accepted_at = ${ago(joined)},
      last_active_at = ${ago(last)} where id = ${studentId}`)
    await tx.execute(sql`update access_grant set created_at = ${ago(joined)}, starts_at = ${ago(joined)}
      where student_id = ${studentId}`)
    await tx.execute(sql`update lesson_progress p
        set opened_at = o.at - interval '11 minutes', last_opened_at = o.at,
            completed_at = case when p.completed_at is null then null else o.at end
      from (select p.lesson_id, now() - make_interval(secs => 86400 * (${joined}::float8 - ${joined - last}::float8
                * row_number() over (order by p.course_id, m.position, l.position) / count(*) over ())) as at
              from lesson_progress p
              join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
              join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
             where p.student_id = ${studentId}) o
     where p.student_id = ${studentId} and p.lesson_id = o.lesson_id`)
  })
}

/** Moves a course's dates back. */
export async function ageCourse(
  school: { tenantId: string },
  courseId: string,
  { created, updated }: { created: number; updated: number },
): Promise<void> {
  await inTenant(school, (tx) =>
    tx.execute(sql`update course set created_at = ${ago(created)}, updated_at = ${ago(updated)},
      published_at = case when published_at is null then null else ${ago(created - 1)} end,
      archived_at = case when archived_at is null then null else ${ago(updated)} end where id = ${courseId}`),
  )
}

/** Adds people to a course's staff. */
export async function assign(
  school: { tenantId: string },
  courseId: string,
  staff: { memberId: string; role: 'curator' | 'expert' }[],
): Promise<void> {
  const { tenantId } = school
  for (const { memberId, role } of staff) {
    await inTenant(school, (tx) =>
      tx.execute(sql`insert into course_staff (tenant_id, course_id, member_id, role)
        values (${tenantId}, ${courseId}, ${memberId}, ${role}) on conflict do nothing`),
    )
  }
}

const ago = (days: number) => sql`now() - make_interval(secs => ${days * 86_400}::float8)`
