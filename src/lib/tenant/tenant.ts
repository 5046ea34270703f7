import { and, between, eq, inArray, sql } from 'drizzle-orm'
import { createBatcher } from '#lib/core/batch.ts'
import { inSystem } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { findSubdomainProblem, listSubdomainCandidates } from './rules.ts'
import type { SubdomainAnswer } from './schema.ts'
import { formerSubdomain, tenant, tenantDomain } from './table.ts'
import { slugOf } from './transliteration.ts'

export interface TenantView {
  id: string
  subdomain: string
  name: string
  locale: Locale
  timeZone: string
  currency: string
  primaryColor: string | null
  logoHash: string | null
}

const tenantColumns = {
  id: tenant.id,
  subdomain: tenant.subdomain,
  name: tenant.name,
  locale: tenant.locale,
  timeZone: tenant.timeZone,
  currency: tenant.currency,
  primaryColor: tenant.primaryColor,
  logoHash: tenant.logoHash,
}

/**
 * The active tenant with this current or former subdomain, or null; the result contains the current one. Called for
 * every request, so concurrent lookups are batched into one query; nothing is cached. Not inside a transaction.
 */
export const findTenant = (subdomain: string): Promise<TenantView | null> => findBatched(subdomain, null)

const findBatched = createBatcher<null, TenantView | null>((subdomain, requests) =>
  inSystem(async (tx) => {
    const former = tx
      .select({ id: formerSubdomain.tenantId })
      .from(formerSubdomain)
      .where(eq(formerSubdomain.subdomain, subdomain))
    // A subdomain is never both: a subdomain in use is removed from the former ones.
    const [row] = await tx
      .select({ ...tenantColumns, status: tenant.status })
      .from(tenant)
      .where(sql`${tenant.subdomain} = ${subdomain} or ${tenant.id} = (${former})`)
    if (row?.status !== 'active') return requests.map(() => null)
    const { status: _, ...rest } = row
    return requests.map(() => rest)
  }),
)

/**
 * The active tenant with this custom domain, or null. The domain must be active: verified and pointing to this
 * installation.
 */
export async function findTenantByDomain(domain: string): Promise<TenantView | null> {
  return inSystem(async (tx) => {
    const [row] = await tx
      .select(tenantColumns)
      .from(tenantDomain)
      .innerJoin(tenant, eq(tenant.id, tenantDomain.tenantId))
      .where(and(eq(tenantDomain.domain, domain), eq(tenantDomain.status, 'active'), eq(tenant.status, 'active')))
    return row ?? null
  })
}

/** The tenant with this id, in any status. Refuses with not_found. */
export async function getTenant(tenantId: string): Promise<TenantView> {
  return inSystem(async (tx) => {
    const [row] = await tx.select(tenantColumns).from(tenant).where(eq(tenant.id, tenantId))
    if (!row) throw new Refusal('not_found')
    return row
  })
}

/** Ids of the tenants whose id begins with these hexadecimal digits. */
export async function findTenantIds(prefix: string): Promise<string[]> {
  const boundary = (digit: string) =>
    prefix.padEnd(32, digit).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const rows = await inSystem((tx) =>
    tx
      .select({ id: tenant.id })
      .from(tenant)
      .where(between(tenant.id, boundary('0'), boundary('f')))
      .limit(10),
  )
  return rows.map(({ id }) => id)
}

export interface NewTenant {
  subdomain: string
  name: string
  locale?: Locale
  timeZone?: string
}

/** Creates a tenant. Refuses with unprocessable when the subdomain is malformed, reserved or taken. */
export async function createTenant(input: NewTenant): Promise<{ id: string }> {
  const problem = findSubdomainProblem(input.subdomain)
  if (problem) throw new Refusal('unprocessable', { fields: { subdomain: [problem] } })
  return inSystem(async (tx) => {
    const [created] = await tx
      .insert(tenant)
      .values(input)
      .onConflictDoNothing({ target: tenant.subdomain })
      .returning({ id: tenant.id })
    if (!created) throw new Refusal('unprocessable', { fields: { subdomain: ['subdomain_taken'] } })
    return created
  })
}

/** Whether a subdomain is available; otherwise the reason and suggestions. */
export async function findSubdomain(input: { subdomain: string; organisation?: string }): Promise<SubdomainAnswer> {
  const subdomain = input.subdomain.trim().toLowerCase()
  const problem = findSubdomainProblem(subdomain)
  const reason = problem ?? ((await findTaken([subdomain])).has(subdomain) ? ('subdomain_taken' as const) : undefined)
  if (!reason) return { subdomain, available: true, suggestions: [] }
  const bases = [slugOf(subdomain), ...(input.organisation ? [slugOf(input.organisation)] : [])]
  return { subdomain, available: false, reason, suggestions: await findFree(bases.flatMap(listSubdomainCandidates)) }
}

/** Up to three free subdomains for an organisation's name, transliterated. */
export function suggestSubdomains(name: string): Promise<string[]> {
  return findFree([...listSubdomainCandidates(slugOf(name)), ...listSubdomainCandidates('shkola')])
}

async function findFree(candidates: string[]): Promise<string[]> {
  const names = [...new Set(candidates)]
  const takenNames = await findTaken(names)
  return names.filter((name) => !takenNames.has(name)).slice(0, 3)
}

// A pending sign-up reserves its subdomain for a day. Its table belongs to the module user and is read here only.
async function findTaken(names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  return inSystem(async (tx) => {
    const tenants = await tx.select({ name: tenant.subdomain }).from(tenant).where(inArray(tenant.subdomain, names))
    const former = await tx
      .select({ name: formerSubdomain.subdomain })
      .from(formerSubdomain)
      .where(inArray(formerSubdomain.subdomain, names))
    const reserved = await tx.execute<{ subdomain: string }>(
      sql`select subdomain from sign_up where ${inArray(sql`subdomain`, names)} and created_at > now() - interval '24 hours'`,
    )
    return new Set([...tenants, ...former].map(({ name }) => name).concat(reserved.rows.map((row) => row.subdomain)))
  })
}
