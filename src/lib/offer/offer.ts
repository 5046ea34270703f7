import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditAction } from '#lib/audit/schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import { listPaymentMethods } from '#lib/payment/methods.ts'
import { issuesCertificates } from './contents.ts'
import { moneyInput } from './money-rules.ts'
import { type OfferRow, toOfferSettings } from './offer-settings.ts'
import { requireOfferEditor, requireOfferReader } from './permission.ts'
import { requireReferences } from './references.ts'
import { nextOfferState, type OfferAction } from './rules.ts'
import type { CopyOffer, CreateOffer, OfferId, OfferSettings, OfferState, SaveOffer } from './schema.ts'
import { chargePeriodOf } from './subscription/schedule.ts'
import { offer } from './table.ts'

/** An offer as its editor shows it. */
export interface OfferDetails {
  id: string
  courseId: string
  courseTitle: string
  isCoursePublished: boolean
  state: OfferState
  version: number
  updatedAt: Date
  settings: OfferSettings
}

/** One offer. Refuses with forbidden, not_found. */
export function getOffer(actor: Actor, { offerId }: OfferId): Promise<OfferDetails> {
  requireOfferReader(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({ offer, courseTitle: course.title, courseStatus: course.status })
      .from(offer)
      .innerJoin(course, and(eq(course.tenantId, offer.tenantId), eq(course.id, offer.courseId)))
      .where(eq(offer.id, offerId))
    if (!row) throw new Refusal('not_found')
    const { id, courseId, state, version, updatedAt } = row.offer
    return {
      id,
      courseId,
      courseTitle: row.courseTitle,
      isCoursePublished: row.courseStatus === 'published',
      state,
      version,
      updatedAt,
      settings: toOfferSettings(row.offer),
    }
  })
}

/**
 * Creates a draft offer of a course; a second call with the same id does nothing. Refuses with forbidden, plan_inactive,
 * not_found.
 */
export function createOffer(actor: Actor, input: CreateOffer): Promise<{ offerId: string }> {
  requireOfferEditor(actor)
  const { offerId, courseId, ...fields } = input
  return inTenant(actor, async (tx) => {
    const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    const { tenantId, membershipId } = actor
    const created = await tx
      .insert(offer)
      .values({
        ...fields,
        tenantId,
        id: offerId,
        courseId,
        withCertificate: await issuesCertificates(tx, courseId),
        updatedBy: membershipId,
      })
      .onConflictDoNothing()
      .returning({ id: offer.id })
    if (created.length > 0) await auditOffer(tx, actor, 'offer.created', { id: offerId, name: fields.name })
    return { offerId }
  })
}

/**
 * Saves the settings of an offer based on `version`; orders that exist keep theirs. The same settings sent again succeed.
 * Refuses with forbidden, plan_inactive, not_found (also for a module, course, event or offer that they name), conflict
 * with the newer version in `data`, unprocessable (offer_archived, offer_upgrade,
 * offer_upgrade_kind).
 */
export function saveOffer(actor: Actor, input: SaveOffer): Promise<{ version: number }> {
  requireOfferEditor(actor)
  const { offerId, version, settings } = input
  return inTenant(actor, async (tx) => {
    const row = await lockOffer(tx, offerId)
    const before = toOfferSettings(row)
    if (JSON.stringify(before) === JSON.stringify(settings)) return { version: row.version }
    if (row.version !== version) throw new Refusal('conflict', { data: { version: row.version } })
    if (row.state === 'archived') throw formRefusal('offer_archived')
    await requireReferences(tx, { courseId: row.courseId, offerId }, settings)
    await tx
      .update(offer)
      .set({ ...settings, version: version + 1, updatedBy: actor.membershipId, updatedAt: new Date() })
      .where(eq(offer.id, offerId))
    await auditOffer(
      tx,
      actor,
      'offer.changed',
      { id: offerId, name: settings.name },
      priceOf(before),
      priceOf(settings),
    )
    return { version: version + 1 }
  })
}

/**
 * Puts an offer on sale, takes it off, archives or restores it. An action that has been done already does nothing.
 * Refuses with forbidden, plan_inactive, not_found, conflict (not allowed in this state), unprocessable (offer_needs_price,
 * offer_needs_provider).
 */
export function changeOfferState(
  actor: Actor,
  { offerId, action }: OfferId & { action: OfferAction },
): Promise<{ state: OfferState }> {
  requireOfferEditor(actor)
  return inTenant(actor, async (tx) => {
    const row = await lockOffer(tx, offerId)
    if (row.state === TARGETS[action]) return { state: row.state }
    const state = nextOfferState(row.state, action)
    if (!state) throw new Refusal('conflict')
    if (state === 'active' && row.kind !== 'free' && row.price === 0) {
      throw formRefusal('offer_needs_price')
    }
    if (state === 'active' && !(await canBePaid(tx, row))) throw formRefusal('offer_needs_provider')
    await tx
      .update(offer)
      .set({ state, version: sql`${offer.version} + 1`, updatedAt: new Date() })
      .where(eq(offer.id, offerId))
    await auditOffer(
      tx,
      actor,
      'offer.changed',
      row,
      { enabled: row.state === 'active' },
      { enabled: state === 'active' },
    )
    return { state }
  })
}

/**
 * Copies an offer as a draft with another name; a second call with the same id does nothing. Refuses with forbidden,
 * plan_inactive, not_found.
 */
export function copyOffer(actor: Actor, { offerId, newOfferId, name }: CopyOffer): Promise<{ offerId: string }> {
  requireOfferEditor(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select().from(offer).where(eq(offer.id, offerId))
    if (!row) throw new Refusal('not_found')
    const now = new Date()
    const created = await tx
      .insert(offer)
      .values({
        ...row,
        id: newOfferId,
        name,
        state: 'draft',
        version: 1,
        updatedBy: actor.membershipId,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: offer.id })
    if (created.length > 0) await auditOffer(tx, actor, 'offer.created', { id: newOfferId, name })
    return { offerId: newOfferId }
  })
}

/** Whether the school can receive what buyers of an offer pay. */
export function canBePaidFor(actor: Actor, { offerId }: OfferId): Promise<boolean> {
  requireOfferReader(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select().from(offer).where(eq(offer.id, offerId))
    return row !== undefined && (await canBePaid(tx, row))
  })
}

async function canBePaid(tx: Tx, row: OfferRow): Promise<boolean> {
  if (row.kind === 'free') return true
  const filter = { currency: row.currency, period: chargePeriodOf(toOfferSettings(row)) }
  return (await listPaymentMethods(tx, filter)).length > 0
}

/** The row of an offer, locked until the end of the transaction. Refuses with not_found. */
async function lockOffer(tx: Tx, offerId: string): Promise<OfferRow> {
  const [row] = await tx.select().from(offer).where(eq(offer.id, offerId)).for('update')
  if (!row) throw new Refusal('not_found')
  return row
}

const TARGETS: Record<OfferAction, OfferState> = {
  activate: 'active',
  deactivate: 'draft',
  archive: 'archived',
  restore: 'draft',
}

type PriceValues = Record<string, string | number | boolean | null>

const priceOf = ({ kind, price, salePrice, currency, seats }: OfferSettings): PriceValues => ({
  price: kind === 'free' ? '0' : `${moneyInput(price)} ${currency}`,
  salePrice: salePrice === null ? null : `${moneyInput(salePrice)} ${currency}`,
  seats,
})

async function auditOffer(
  tx: Tx,
  actor: Actor,
  action: Extract<AuditAction, `offer.${string}`>,
  { id, name }: { id: string; name: string },
  before?: PriceValues,
  after?: PriceValues,
): Promise<void> {
  await recordAuditEntry(tx, actor, {
    action,
    objectId: id,
    objectName: name,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  })
}
