import { inArray, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { filterSql } from '../list/filter-sql.ts'
import type { BulkTarget } from './schema.ts'

/** The students of a target as `from` and `where` without the keywords, with the student as `s`. */
export function targetSql(target: z.infer<typeof BulkTarget>): { from: SQL; where: SQL } {
  if ('filter' in target) return filterSql(target.filter)
  return {
    from: sql`student s`,
    where: sql`s.tenant_id = current_tenant() and s.anonymized_at is null and ${inArray(sql`s.id`, target.studentIds)}`,
  }
}
