import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { fullName } from '#lib/core/shared/text/person-name.ts'
import { membership, user } from '#lib/user/table.ts'

/** The names of members by their ids. */
export async function findNames(tx: Tx, memberIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .select({ id: membership.id, firstName: user.firstName, lastName: user.lastName, email: user.email })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(sql`${membership.tenantId} = current_tenant()`, inArray(membership.id, [...memberIds])))
  return new Map(rows.map(({ id, email, ...name }) => [id, fullName(name) || email]))
}
