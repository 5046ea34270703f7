import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireTeamManager } from './permission.ts'

export interface AssignableObjects {
  courses: { id: string; title: string }[]
  events: { id: string; title: string }[]
}

const MAX_ROWS = 100

/** Courses and events that an invitation can assign, the newest first. Refuses with forbidden. */
export async function listAssignable(actor: Actor): Promise<AssignableObjects> {
  requireTeamManager(actor)
  return inTenant(actor, async (tx) => {
    // The tables belong to modules above this one and are read here only.
    const { rows } = await tx.execute<AssignableObjects & Record<string, unknown>>(sql`select
      (select coalesce(json_agg(c), '[]') from (select id, title from course
        where tenant_id = current_tenant() and status <> 'archived' order by id desc limit ${MAX_ROWS}) c) as courses,
      (select coalesce(json_agg(w), '[]') from (select id, title from workshop
        where tenant_id = current_tenant() order by id desc limit ${MAX_ROWS}) w) as events`)
    return rows[0] ?? { courses: [], events: [] }
  })
}
