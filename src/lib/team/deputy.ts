import { and, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '#lib/core/db/db.ts'
import { vacation } from './table.ts'

/** Members of the transaction's tenant who are on vacation now, with their deputies. */
export async function listCurrentVacations(tx: Tx): Promise<Map<string, string>> {
  const rows = await tx
    .select({ memberId: vacation.memberId, deputyId: vacation.deputyId })
    .from(vacation)
    .where(
      and(
        sql`${vacation.tenantId} = current_tenant()`,
        isNull(vacation.canceledAt),
        sql`now() >= ${vacation.startAt} and now() < ${vacation.endAt}`,
      ),
    )
  return new Map(rows.map(({ memberId, deputyId }) => [memberId, deputyId]))
}

/** Condition: the column contains the member, or a member on vacation now whose deputy the member is. */
export function isActingAs(column: PgColumn | SQL, memberId: string): SQL {
  return sql`(${column} = ${memberId} or ${column} in (select v.member_id from vacation v
    where v.tenant_id = current_tenant() and v.deputy_id = ${memberId} and v.canceled_at is null
      and now() >= v.start_at and now() < v.end_at))`
}
