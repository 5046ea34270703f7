import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { endStreamsOfUser } from '#lib/core/live/live.ts'
import { effectiveRoles } from '#lib/core/shared/role.ts'
import { fullName } from '#lib/core/shared/text/person-name.ts'
import { membership, user } from './table.ts'

export type TeamMemberRow = Awaited<ReturnType<typeof lockTeamMember>>

/** The membership of a team member, locked until the transaction ends. Refuses with not_found, for students too. */
export async function lockTeamMember(tx: Tx, tenantId: string, memberId: string) {
  const [row] = await tx
    .select({
      id: membership.id,
      tenantId: membership.tenantId,
      userId: membership.userId,
      accountType: membership.accountType,
      roles: membership.roles,
      status: membership.status,
      position: membership.position,
      revision: membership.revision,
      blockedAt: membership.blockedAt,
      removedAt: membership.removedAt,
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      locale: user.locale,
      verifiedAt: user.emailVerifiedAt,
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(
      and(
        eq(membership.tenantId, tenantId),
        eq(membership.id, memberId),
        ne(membership.accountType, 'ACCOUNT_TYPE_STUDENT'),
      ),
    )
    .for('update', { of: membership })
  if (!row) throw new Refusal('not_found')
  return { ...row, roles: effectiveRoles(row.accountType, row.roles), name: fullName(row) || row.email }
}

type Change = Partial<
  Pick<
    typeof membership.$inferInsert,
    'roles' | 'accountType' | 'position' | 'status' | 'blockedAt' | 'removedAt' | 'acceptedAt'
  >
>

/**
 * Changes a locked team member and increases the revision. Open event streams of the user end: they reconnect and are
 * authorized again.
 */
export async function updateTeamMember(
  tx: Tx,
  member: Pick<TeamMemberRow, 'tenantId' | 'id' | 'userId'>,
  change: Change,
): Promise<void> {
  await tx
    .update(membership)
    .set({ ...change, revision: sql`${membership.revision} + 1` })
    .where(and(eq(membership.tenantId, member.tenantId), eq(membership.id, member.id)))
  await endStreamsOfUser(member.userId)
}
