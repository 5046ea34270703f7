import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/** Whether all of the members share what the column says. */
export async function areShared(
  tx: Tx,
  column: 'shares_presence' | 'shares_reading',
  memberIds: readonly string[],
): Promise<boolean> {
  const { rows } = await tx.execute(sql`select 1 from chat_presence p where p.tenant_id = current_tenant()
    and p.member_id = any(${sql.param([...memberIds])}::uuid[]) and not p.${sql.raw(column)}`)
  return rows.length === 0
}

/** SQL condition: both members share what they have read. */
export const areReceiptsShared = (first: SQL, second: SQL): SQL => sql`not exists (select 1 from chat_presence s
  where s.tenant_id = current_tenant() and s.member_id in (${first}, ${second}) and not s.shares_reading)`
