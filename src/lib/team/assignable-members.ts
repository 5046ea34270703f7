import { and, arrayOverlaps, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Role } from '#lib/core/shared/role.ts'
import { membership, user } from '#lib/user/table.ts'

export interface AssignableMember {
  memberId: string
  name: string
  email: string
  roles: Role[]
}

/** Team members with one of these roles, without blocked ones, by name: those who can be assigned to a course or event. */
export async function listAssignableMembers(
  tx: Tx,
  tenantId: string,
  roles: readonly Role[],
): Promise<AssignableMember[]> {
  const rows = await tx
    .select({
      memberId: membership.id,
      roles: membership.roles,
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(
      and(
        eq(membership.tenantId, tenantId),
        inArray(membership.accountType, ['ACCOUNT_TYPE_PRODUCT_OWNER', 'ACCOUNT_TYPE_TEAM_MEMBER']),
        arrayOverlaps(membership.roles, [...roles]),
        isNull(membership.blockedAt),
      ),
    )
    .orderBy(asc(user.lastName), asc(user.firstName), asc(membership.id))
  return rows.map(({ firstName, lastName, ...member }) => ({
    ...member,
    name: `${firstName} ${lastName}`.trim() || member.email,
  }))
}

/** The roles of `roleNames` that a member may be assigned, by the tenant roles that allow each. */
export const assignableRoles = <Name extends string>(
  { roles }: Pick<AssignableMember, 'roles'>,
  roleNames: readonly Name[],
  allowedBy: Readonly<Record<Name, readonly Role[]>>,
): Name[] => roleNames.filter((name) => roles.some((role) => allowedBy[name].includes(role)))

/** The roles that a member has among assignments. */
export const assignedRoles = <Name extends string>(
  memberId: string,
  roleNames: readonly Name[],
  assignments: readonly { memberId: string | null; role: Name | null }[],
): Name[] =>
  roleNames.filter((name) =>
    assignments.some((assignment) => assignment.memberId === memberId && assignment.role === name),
  )
