import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { selectFields } from '../fields/fields.ts'
import type { StudentField } from '../fields/schema.ts'
import { requireStudentAdministrator } from './list.ts'

interface FilterOption {
  id: string
  title: string
}

export interface StudentFilterOptions {
  /** The newest 200 that are not archived. */
  courses: FilterOption[]
  /** Groups that are not archived, with the title of their course. */
  groups: (FilterOption & { course: string })[]
  tags: string[]
  /** Custom fields of the school. */
  fields: StudentField[]
}

/** The options of the filters of the student list. Refuses with forbidden. */
export function listFilterOptions(actor: Actor): Promise<StudentFilterOptions> {
  requireStudentAdministrator(actor)
  return inTenant(actor, async (tx) => {
    const [courses, groups, tags, fields] = await Promise.all([
      tx.execute<FilterOption & Record<string, unknown>>(sql`select id, title from course
        where tenant_id = current_tenant() and status <> 'archived' order by updated_at desc limit 200`),
      tx.execute<FilterOption & { course: string } & Record<string, unknown>>(sql`
        select g.id, g.name as title, c.title as course from study_group g
        join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
        where g.tenant_id = current_tenant() and g.archived_at is null order by g.start_at desc limit 200`),
      // A loose index scan: one index step per tag, regardless of the number of students.
      tx.execute<{ tag: string }>(sql`
        with recursive tags as (
          (select tag from student_tag where tenant_id = current_tenant() order by tag limit 1)
          union all
          select (select t.tag from student_tag t where t.tenant_id = current_tenant() and t.tag > tags.tag
            order by t.tag limit 1) from tags where tags.tag is not null)
        select tag from tags where tag is not null limit 500`),
      selectFields(tx),
    ])
    return {
      courses: courses.rows.map(({ id, title }) => ({ id, title })),
      groups: groups.rows.map(({ id, title, course }) => ({ id, title, course })),
      tags: tags.rows.map(({ tag }) => tag),
      fields,
    }
  })
}
