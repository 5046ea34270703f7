import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addFormerSubdomain, claimSubdomain, releaseFormerSubdomain, updateTenant } from '#lib/tenant/settings.ts'
import { findSubdomain } from '#lib/tenant/tenant.ts'
import { requireSettingsManager } from './permission.ts'
import type { ChangeSubdomain } from './schema.ts'
import { lockOwnTenant, recordSettings } from './settings.ts'

/** Former subdomains are reserved, so their number per school is limited. */
const MAX_FORMER_SUBDOMAINS = 5

/**
 * Changes the subdomain of the school. The old one redirects to the new one and is reserved for the school, which can
 * use it again. Refuses with forbidden and unprocessable (subdomain_taken, subdomain_changes).
 */
export async function changeSubdomain(actor: Actor, input: ChangeSubdomain): Promise<{ subdomain: string }> {
  requireSettingsManager(actor)
  const { subdomain } = input
  const { available, suggestions } = await findSubdomain({ subdomain })
  return inTenant(actor, async (tx) => {
    const before = await lockOwnTenant(tx, actor)
    if (before.subdomain === subdomain) return { subdomain }
    const isUnused = await claimSubdomain(tx, subdomain)
    const isReturn = await releaseFormerSubdomain(tx, actor.tenantId, subdomain)
    if (!isUnused || (!available && !isReturn)) throw subdomainTaken(suggestions)
    const former = await addFormerSubdomain(tx, actor.tenantId, before.subdomain)
    if (former > MAX_FORMER_SUBDOMAINS) {
      throw new Refusal('unprocessable', { fields: { subdomain: ['subdomain_changes'] } })
    }
    await updateTenant(tx, actor.tenantId, { subdomain })
    await recordSettings(tx, actor, { subdomain: before.subdomain }, { subdomain })
    return { subdomain }
  })
}

const subdomainTaken = (suggestions: string[]) =>
  new Refusal('unprocessable', { fields: { subdomain: ['subdomain_taken'] }, data: { suggestions } })
