import { startTrial } from '#lib/billing/trial.ts'
import { inSystem } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { addMember, createSchool, findOrCreateUser } from '#lib/user/member.ts'
import { beginSession, findActor } from '#lib/user/session.ts'

export interface TestTenant {
  tenant: { id: string; subdomain: string; name: string }
  /** A signed-in actor of each role. */
  as: Record<Role, Actor>
  /** Login tokens by role, for calls over HTTP. */
  token: Record<Role, string>
}

/** A valid password for accounts that sign in with one. */
export const PASSWORD = 'Probna-2026!'

let tenantCount = 0

/**
 * Creates a tenant with one member of every role by the product's own functions, on a trial of both plan groups. Their
 * emails are `<role>@<subdomain>.test`; they have no password, because hashing nine of them takes a third of a second.
 */
export async function createTestTenant(name = 'Школа'): Promise<TestTenant> {
  const subdomain = `school-${++tenantCount}`
  const owner = await createTestUser(emailOf('OWNER', subdomain))
  const { tenantId } = await createSchool({ subdomain, name, ownerId: owner })
  await startTrial(tenantId)
  const entries: [Role, { actor: Actor; token: string }][] = []
  for (const role of ROLES) entries.push([role, await addSignedInMember(tenantId, subdomain, role)])
  const all = Object.fromEntries(entries)
  return {
    tenant: { id: tenantId, subdomain, name },
    as: mapRoles((role) => requireValue(all[role]).actor),
    token: mapRoles((role) => requireValue(all[role]).token),
  }
}

/** Creates a second tenant, for tests of tenant isolation. */
export const createOtherTenant = (): Promise<TestTenant> => createTestTenant('Сусідня школа')

/** Adds a member with this role to a tenant. */
export async function addTestMember(
  { tenant }: TestTenant,
  role: Exclude<Role, 'OWNER'>,
  email: string,
): Promise<Actor> {
  return (await addSignedInMember(tenant.id, tenant.subdomain, role, email)).actor
}

/** Creates a verified user without a membership. Returns its id. */
export async function createTestUser(email: string, password?: string): Promise<string> {
  const [firstName = ''] = email.split('@')
  const made = await findOrCreateUser({
    email,
    firstName,
    lastName: 'Тест',
    isVerified: true,
    ...(password ? { password } : {}),
  })
  return made.userId
}

/** Starts a login session of a user; `host` is the label of the host: a subdomain, `go`, or empty. */
export async function signInTestUser(userId: string, host: string): Promise<{ actor: Actor; token: string }> {
  const caller = { address: '127.0.0.1', userAgent: 'tests', locale: 'uk', host } as const
  const token = await inSystem((tx) => beginSession(tx, userId, caller))
  return { actor: requireValue(await findActor(token, host)), token }
}

async function addSignedInMember(tenantId: string, subdomain: string, role: Role, email = emailOf(role, subdomain)) {
  const userId = await createTestUser(email)
  const student = role === 'STUDENT'
  if (role !== 'OWNER') {
    const accountType = student ? 'ACCOUNT_TYPE_STUDENT' : 'ACCOUNT_TYPE_TEAM_MEMBER'
    const roles = student || role === 'MEMBER' ? [] : [role]
    await addMember({ tenantId, userId, accountType, roles, status: student ? 'accepted' : 'active' })
  }
  return signInTestUser(userId, student ? 'go' : subdomain)
}

const emailOf = (role: Role, subdomain: string): string => `${role.toLowerCase()}@${subdomain}.test`

function mapRoles<T>(createFor: (role: Role) => T): Record<Role, T> {
  return {
    OWNER: createFor('OWNER'),
    DIRECTOR: createFor('DIRECTOR'),
    EXPERT: createFor('EXPERT'),
    CURATOR: createFor('CURATOR'),
    PRESENTER: createFor('PRESENTER'),
    MODERATOR: createFor('MODERATOR'),
    MENTOR: createFor('MENTOR'),
    MEMBER: createFor('MEMBER'),
    STUDENT: createFor('STUDENT'),
  }
}

function requireValue<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the school could not be set up')
  return value
}
