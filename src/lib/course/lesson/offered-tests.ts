import { type SQL, sql } from 'drizzle-orm'

/**
 * The tests of a list of ids that students of a course can take there, as `q` in a FROM clause: published, neither hidden
 * nor deleted. The quiz module owns them.
 */
export const offeredTests = (ids: SQL, courseId: SQL): SQL => sql`jsonb_array_elements_text(${ids}) listed(id)
  join quiz q on q.tenant_id = current_tenant() and q.id = listed.id::uuid and q.course_id = ${courseId}
    and q.status = 'published' and not q.hidden and q.deleted_at is null`
