import { eq } from 'drizzle-orm'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findTenant } from '#lib/tenant/tenant.ts'
import { beginSession, findActor, signOut } from '#lib/user/session.ts'
import { membership } from '#lib/user/table.ts'

/**
 * Runs a function as the owner of a school, with the real plans and limits, in a session that ends afterwards. Refuses
 * with not_found.
 */
export async function asOwner<T>(subdomain: string, action: (owner: Actor) => Promise<T>): Promise<T> {
  const school = await findTenant(subdomain)
  if (!school) throw new Refusal('not_found', { fields: { school: ['import_no_school'] }, variables: { subdomain } })
  const [owner] = await inTenant({ tenantId: school.id }, (tx) =>
    tx
      .select({ userId: membership.userId })
      .from(membership)
      .where(eq(membership.accountType, 'ACCOUNT_TYPE_PRODUCT_OWNER'))
      .limit(1),
  )
  if (!owner) throw new Error(`the school ${subdomain} has no owner`)
  const caller = { address: '127.0.0.1', userAgent: 'npm run seed', locale: school.locale, host: subdomain }
  const token = await inSystem((tx) => beginSession(tx, owner.userId, caller))
  try {
    const actor = await findActor(token, subdomain)
    if (!actor) throw new Error(`the school ${subdomain} does not let its owner in`)
    return await action(actor)
  } finally {
    await signOut(token)
  }
}
