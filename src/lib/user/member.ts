import { and, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inSystem, inTenant, type Tx } from '#lib/core/db/db.ts'
import { endStreamsOfUser } from '#lib/core/live/live.ts'
import { eraseEmails } from '#lib/core/mail/mail.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type AccountType, effectiveRoles, type Role } from '#lib/core/shared/role.ts'
import { createTenant, type NewTenant } from '#lib/tenant/tenant.ts'
import { hashPassword } from './password.ts'
import { membership, session, user } from './table.ts'

export type MembershipStatus = (typeof membership.$inferSelect)['status']

export interface NewUser {
  email: string
  password?: string
  firstName?: string
  lastName?: string
  patronymic?: string | null | undefined
  locale?: Locale
  timeZone?: string
  /** The email address is confirmed. */
  isVerified?: boolean
}

/** Finds the user of an email address or creates it. An existing account is not changed. The address must be validated. */
export async function findOrCreateUser(person: NewUser): Promise<{ userId: string; known: boolean; locale: Locale }> {
  const { email, password, isVerified: verified, firstName, lastName, patronymic, locale, timeZone } = person
  const passwordHash = password === undefined ? null : await hashPassword(password)
  const emailVerifiedAt = verified ? new Date() : null
  return inSystem(async (tx) => {
    await tx
      .insert(user)
      .values({ email, passwordHash, emailVerifiedAt, firstName, lastName, patronymic, locale, timeZone })
      .onConflictDoNothing({ target: user.email })
    const [row] = await tx
      .select({ userId: user.id, verifiedAt: user.emailVerifiedAt, locale: user.locale })
      .from(user)
      .where(eq(user.email, email))
    if (!row) throw new Error('the user was inserted before')
    return { userId: row.userId, known: row.verifiedAt !== null, locale: row.locale }
  })
}

export interface NewMember {
  tenantId: string
  userId: string
  accountType: AccountType
  roles?: Role[]
  status: MembershipStatus
}

/** Finds a user's membership in a tenant or creates it. An existing one is not changed. */
export function addMember(
  input: NewMember,
): Promise<{ membershipId: string; status: MembershipStatus; added: boolean }> {
  const { tenantId, userId, accountType } = input
  const roles = effectiveRoles(accountType, input.roles ?? [])
  const acceptedAt = input.status === 'active' || input.status === 'accepted' ? new Date() : null
  return inTenant(input, async (tx) => {
    const added = await tx
      .insert(membership)
      .values({ tenantId, userId, accountType, roles, status: input.status, acceptedAt })
      .onConflictDoNothing()
      .returning({ id: membership.id })
    const [row] = await tx
      .select({ membershipId: membership.id, status: membership.status })
      .from(membership)
      .where(
        and(eq(membership.tenantId, tenantId), eq(membership.userId, userId), eq(membership.accountType, accountType)),
      )
    if (!row) throw new Error('the membership was inserted before')
    return { ...row, added: added.length > 0 }
  })
}

/** Creates a tenant with its owner. Refuses with unprocessable as createTenant does. */
export function createSchool(
  input: NewTenant & { ownerId: string },
): Promise<{ tenantId: string; membershipId: string }> {
  const { ownerId, ...school } = input
  return inSystem(async () => {
    const { id: tenantId } = await createTenant(school)
    const owner = { tenantId, userId: ownerId, accountType: 'ACCOUNT_TYPE_PRODUCT_OWNER', status: 'active' } as const
    const { membershipId } = await addMember(owner)
    return { tenantId, membershipId }
  })
}

/** Sets the status of a student, e.g. accepted. Idempotent. */
export async function setMemberStatus(tenantId: string, membershipId: string, status: MembershipStatus): Promise<void> {
  const accepted = status === 'accepted' ? { acceptedAt: sql`coalesce(${membership.acceptedAt}, now())` } : {}
  await inTenant({ tenantId }, (tx) =>
    tx
      .update(membership)
      .set({ status, ...accepted })
      .where(and(eq(membership.tenantId, tenantId), eq(membership.id, membershipId))),
  )
}

/** The number of students of a tenant, without blocked ones. */
export async function countStudents(tenantId: string): Promise<number> {
  return inTenant({ tenantId }, async (tx) => {
    const [row] = await tx
      .select({ students: count() })
      .from(membership)
      .where(
        and(
          eq(membership.tenantId, tenantId),
          eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT'),
          sql`${membership.blockedAt} is null`,
        ),
      )
    return row?.students ?? 0
  })
}

/**
 * Blocks members of the transaction's tenant, or admits them again with null, from their next request on. Returns the ids
 * of those that changed. The caller checks the permission and the limits of the plan.
 */
export async function setMembersBlocked(
  tx: Tx,
  memberIds: readonly string[],
  blockedAt: Date | null,
): Promise<string[]> {
  if (memberIds.length === 0) return []
  const isOther = blockedAt ? isNull(membership.blockedAt) : isNotNull(membership.blockedAt)
  const changed = await tx
    .update(membership)
    .set({ blockedAt })
    .where(and(inArray(membership.id, [...memberIds]), isOther))
    .returning({ id: membership.id, userId: membership.userId })
  if (blockedAt) for (const { userId } of changed) await endStreamsOfUser(userId)
  return changed.map(({ id }) => id)
}

/**
 * Ends the live updates of members whose permissions have changed: their pages reconnect and are authorized again.
 */
export async function endStreamsOfMembers(tx: Tx, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return
  const rows = await tx
    .selectDistinct({ userId: membership.userId })
    .from(membership)
    .where(inArray(membership.id, [...memberIds]))
  await Promise.all(rows.map(({ userId }) => endStreamsOfUser(userId)))
}

/**
 * Permanently ends the membership of a student of the transaction's tenant, because the school has deleted the person.
 */
export async function endStudentMembership(tx: Tx, studentId: string): Promise<void> {
  await tx
    .update(membership)
    .set({ removedAt: sql`coalesce(${membership.removedAt}, now())` })
    .where(and(eq(membership.id, studentId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
}

/**
 * Removes the personal data of a person whom all schools have deleted: name, email address, phone, password, login
 * sessions. A person who is a student or author in another school keeps the account. The membership must have ended in
 * the surrounding transaction, which is locked against other schools. Returns whether the account was removed.
 */
export function anonymizeUser(userId: string): Promise<boolean> {
  return inSystem(async (tx) => {
    // When two schools delete the person concurrently, the second one sees the membership that the first has ended.
    await tx.execute(sql`select 1 from "user" where id = ${userId} for update`)
    // Makes the memberships of this person in every school visible.
    await tx.execute(sql`select set_config('app.user_id', ${userId}, true)`)
    const { rows } = await tx.execute(sql`select 1 from membership where user_id = ${userId}
      and (account_type <> 'ACCOUNT_TYPE_STUDENT' or removed_at is null) limit 1`)
    await tx.execute(sql`select set_config('app.user_id', '', true)`)
    if (rows.length > 0) return false
    await eraseUser(tx, userId)
    return true
  })
}

/**
 * Removes the personal data of a person, and the login sessions, in the caller's transaction. The caller checks the
 * permission.
 */
export async function eraseUser(tx: Tx, userId: string): Promise<void> {
  const nothing = {
    firstName: '',
    lastName: '',
    patronymic: null,
    phone: null,
    passwordHash: null,
    totpSecret: null,
    totpEnabledAt: null,
  }
  const [person] = await tx.select({ email: user.email }).from(user).where(eq(user.id, userId))
  if (person) await eraseEmails(tx, { tenantId: null, to: person.email })
  await tx
    .update(user)
    .set({ ...nothing, email: `${userId}@deleted.invalid`, emailVerifiedAt: null })
    .where(sql`${user.id} = ${userId}`)
  await tx.delete(session).where(sql`${session.userId} = ${userId}`)
}

export interface NewStudent {
  /** Validated, in the form in which addresses are stored. */
  email: string
  firstName: string
  lastName: string
  patronymic?: string
  phone: string | null
}

export interface AddedStudent {
  email: string
  studentId: string
  isAdded: boolean
}

/**
 * Adds many students to the transaction's tenant in four statements, with the status unknown, because their addresses
 * are unverified. Accounts and memberships that exist are not changed. The caller checks the permission and the plan.
 */
export async function addStudentMembers(
  tx: Tx,
  people: readonly NewStudent[],
  locale: Locale,
): Promise<AddedStudent[]> {
  const rows = JSON.stringify(people)
  // In the order of the addresses, so that concurrent imports cannot deadlock.
  await tx.execute(sql`
    insert into "user" (id, email, first_name, last_name, patronymic, phone, locale)
    select gen_random_uuid(), p.email, p."firstName", p."lastName", nullif(p.patronymic, ''), p.phone, ${locale}
    from jsonb_to_recordset(${rows}::jsonb) as p(email text, "firstName" text, "lastName" text,
        patronymic text, phone text)
    order by p.email on conflict (email) do nothing`)
  // Arrays, because joins with a list of unknown length are planned badly while the statistics of a table are old.
  const { rows: users } = await tx.execute<{ id: string; email: string }>(sql`
    select id, email from "user" where email = any(${sql.param(people.map(({ email }) => email))}::text[]) order by email`)
  const userIds = sql`${sql.param(users.map(({ id }) => id))}::uuid[]`
  const { rows: added } = await tx.execute<{ id: string }>(sql`
    insert into membership (tenant_id, id, user_id, account_type, status)
    select current_tenant(), gen_random_uuid(), p.id, 'ACCOUNT_TYPE_STUDENT', 'unknown'
    from unnest(${userIds}) with ordinality as p(id, position) order by p.position
    on conflict do nothing returning id`)
  const { rows: members } = await tx.execute<{ id: string; userId: string }>(sql`
    select id, user_id as "userId" from membership
    where tenant_id = current_tenant() and account_type = 'ACCOUNT_TYPE_STUDENT' and user_id = any(${userIds})`)
  const addedIds = new Set(added.map(({ id }) => id))
  const emails = new Map(users.map(({ id, email }) => [id, email]))
  return members.map(({ id, userId }) => ({
    email: emails.get(userId) ?? '',
    studentId: id,
    isAdded: addedIds.has(id),
  }))
}
