import { and, count, eq, isNull, ne } from 'drizzle-orm'
import { requireWithinLimit } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership } from '#lib/user/table.ts'

/** Active and invited team members, without blocked and removed ones; with `accepted` without invited ones too. */
export async function countTeam(
  tx: Tx,
  tenantId: string,
  { accepted = false }: { accepted?: boolean } = {},
): Promise<number> {
  const [row] = await tx
    .select({ members: count() })
    .from(membership)
    .where(
      and(
        eq(membership.tenantId, tenantId),
        ne(membership.accountType, 'ACCOUNT_TYPE_STUDENT'),
        isNull(membership.blockedAt),
        accepted ? ne(membership.status, 'invited') : undefined,
      ),
    )
  return row?.members ?? 0
}

/**
 * Serializes changes of the team's size until the end of the transaction, so that concurrent ones cannot exceed the
 * limit.
 */
export async function lockTeam(tx: Tx, tenantId: string): Promise<void> {
  await lockUntilCommit(tx, 'team', tenantId)
}

/** Requires a free seat for one more member, under the lock. Refuses with unprocessable (limit_manager_count). */
export async function requireTeamSeat(tx: Tx, tenantId: string, plans: Pick<Actor, 'plans' | 'addOns'>): Promise<void> {
  requireWithinLimit(plans, 'manager_count', await countTeam(tx, tenantId))
}
