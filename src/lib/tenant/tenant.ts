import { eq, inArray, sql } from 'drizzle-orm'
import { createBatcher } from '#lib/core/batch.ts'
import { inSystem } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { findSubdomainProblem, listSubdomainCandidates } from './rules.ts'
import type { SubdomainAnswer } from './schema.ts'
import { tenant } from './table.ts'
import { slugOf } from './transliteration.ts'

export interface TenantView {
  id: string
  subdomain: string
  name: string
  locale: Locale
  timeZone: string
  currency: string
  primaryColor: string | null
  logoFileId: string | null
}

const view = {
  id: tenant.id,
  subdomain: tenant.subdomain,
  name: tenant.name,
  locale: tenant.locale,
  timeZone: tenant.timeZone,
  currency: tenant.currency,
  primaryColor: tenant.primaryColor,
  logoFileId: tenant.logoFileId,
}

/**
 * The active school with this subdomain, or null: for hosts and for links that name a school. Every request asks, so
 * those who ask at once are answered together; nothing is remembered. Not inside a transaction.
 */
export const findTenant = (subdomain: string): Promise<TenantView | null> => lookUp(subdomain, null)

const lookUp = createBatcher<null, TenantView | null>((subdomain, asked) =>
  inSystem(async (tx) => {
    const [found] = await tx
      .select({ ...view, status: tenant.status })
      .from(tenant)
      .where(eq(tenant.subdomain, subdomain))
    if (found?.status !== 'active') return asked.map(() => null)
    const { status: _, ...rest } = found
    return asked.map(() => rest)
  }),
)

/** The school of this id, whatever its status. Refuses with not_found. */
export async function getTenant(tenantId: string): Promise<TenantView> {
  return inSystem(async (tx) => {
    const [found] = await tx.select(view).from(tenant).where(eq(tenant.id, tenantId))
    if (!found) throw new Refusal('not_found')
    return found
  })
}

export interface NewTenant {
  subdomain: string
  name: string
  locale?: Locale
  timeZone?: string
}

/** Makes a school. Refuses with unprocessable when the subdomain is malformed, reserved or taken. */
export async function createTenant(input: NewTenant): Promise<{ id: string }> {
  const problem = findSubdomainProblem(input.subdomain)
  if (problem) throw new Refusal('unprocessable', { fields: { subdomain: [problem] } })
  return inSystem(async (tx) => {
    const [made] = await tx
      .insert(tenant)
      .values(input)
      .onConflictDoNothing({ target: tenant.subdomain })
      .returning({ id: tenant.id })
    if (!made) throw new Refusal('unprocessable', { fields: { subdomain: ['subdomain_taken'] } })
    return made
  })
}

/** Whether a subdomain can be had, why not, and what could be had instead. */
export async function findSubdomain(input: { subdomain: string; organisation?: string }): Promise<SubdomainAnswer> {
  const subdomain = input.subdomain.trim().toLowerCase()
  const problem = findSubdomainProblem(subdomain)
  const reason = problem ?? ((await takenOf([subdomain])).has(subdomain) ? ('subdomain_taken' as const) : undefined)
  if (!reason) return { subdomain, available: true, suggestions: [] }
  const wishes = [slugOf(subdomain), ...(input.organisation ? [slugOf(input.organisation)] : [])]
  return { subdomain, available: false, reason, suggestions: await freeOf(wishes.flatMap(listSubdomainCandidates)) }
}

/** Up to three free subdomains for an organisation's name, transliterated. */
export function suggestSubdomains(name: string): Promise<string[]> {
  return freeOf([...listSubdomainCandidates(slugOf(name)), ...listSubdomainCandidates('shkola')])
}

async function freeOf(candidates: string[]): Promise<string[]> {
  const wanted = [...new Set(candidates)]
  const taken = await takenOf(wanted)
  return wanted.filter((name) => !taken.has(name)).slice(0, 3)
}

// A sign-up that waits for its e-mail holds its subdomain for a day. Its table belongs to the room above; read only.
async function takenOf(names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  return inSystem(async (tx) => {
    const schools = await tx.select({ name: tenant.subdomain }).from(tenant).where(inArray(tenant.subdomain, names))
    const held = await tx.execute<{ subdomain: string }>(
      sql`select subdomain from sign_up where ${inArray(sql`subdomain`, names)} and created_at > now() - interval '24 hours'`,
    )
    return new Set([...schools.map(({ name }) => name), ...held.rows.map(({ subdomain }) => subdomain)])
  })
}
