import { and, count, eq, isNotNull, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Publication } from '#lib/core/shared/event/live-event.ts'
import { requireEventPermission, requireManagedWorkshop } from '../permission.ts'
import { type RegistrantCounts, readRegistrantCounts } from '../registrant-counts.ts'
import { canPublishEvent, canSeeWorkshops, type EventPublishCheck, eventPublishChecks } from '../rules.ts'
import { workshop, workshopSession } from '../table.ts'
import { readItems } from './item.ts'
import { findMainSession, lockWorkshopRow } from './save.ts'
import { readEventStaff } from './staff.ts'

export interface EventReadiness {
  checks: EventPublishCheck[]
  /** Checks of other modules; each blocks the publication. */
  moduleChecks: ModuleCheck[]
  people: RegistrantCounts
  /** Whether a published event may become a draft again. */
  canUnpublish: boolean
}

/** The reason for refusing the publication: a key of the namespace errors. */
interface ModuleCheck {
  key: 'masterclassVideo' | 'autowebinarVideo' | 'sessions'
  passed: boolean
  /** Why publication is refused: a key of the namespace errors. */
  refusal: string
  /** The page on which the problem can be solved: appended to the URL of the event's page. */
  path: string
}

/** Checks of other modules before publication, for example that an auto-webinar has a plan. */
export type ModuleChecks = (tx: Tx, workshopId: string) => Promise<ModuleCheck[]>

/** Checks before the publication of an event. Refuses with forbidden, not_found. */
export function getEventReadiness(
  actor: Actor,
  input: { workshopId: string },
  more: readonly ModuleChecks[] = [],
): Promise<EventReadiness> {
  requireEventPermission(canSeeWorkshops(actor))
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    const people = await readRegistrantCounts(tx, workshopId)
    const session = await findMainSession(tx, workshopId)
    const checks = await readPublishChecks(tx, workshopId, new Date())
    const moduleResults = await runModuleChecks(tx, workshopId, more)
    return { checks, moduleChecks: moduleResults, people, canUnpublish: people.interested === 0 && !session?.startedAt }
  })
}

/**
 * Publishes an event. Idempotent. Refuses with forbidden, plan_inactive, not_found; with unprocessable and `fields`
 * while a blocker is left (including `more`, checks of other modules), and for a canceled or archived event.
 */
export function publishWorkshop(
  actor: Actor,
  input: { workshopId: string },
  more: readonly ModuleChecks[] = [],
): Promise<{ publication: Publication }> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { publication, canceledAt, archivedAt } = await lockWorkshopRow(tx, workshopId)
    if (publication === 'published') return { publication }
    if (canceledAt || archivedAt) throw formRefusal('workshop_put_away')
    const checks = await readPublishChecks(tx, workshopId, new Date())
    const missing = checks
      .filter(({ isBlocking: blocks, passed }) => blocks && !passed)
      .map(({ key }) => BLOCKERS[key] ?? key)
    const moduleResults = await runModuleChecks(tx, workshopId, more)
    const form = [...missing, ...moduleResults.filter(({ passed }) => !passed).map(({ refusal }) => refusal)]
    if (!canPublishEvent(checks) || form.length > 0) throw new Refusal('unprocessable', { fields: { form } })
    const now = new Date()
    await tx
      .update(workshop)
      .set({ publication: 'published', publishedAt: now, updatedAt: now })
      .where(eq(workshop.id, workshopId))
    await enqueueJob('registration.published', { tenantId: actor.tenantId, workshopId })
    return { publication: 'published' }
  })
}

/** Reverts an event to a draft, while it has no registrants and has not started. Refuses like publishWorkshop. */
export function unpublishWorkshop(actor: Actor, input: { workshopId: string }): Promise<{ publication: Publication }> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { publication } = await lockWorkshopRow(tx, workshopId)
    if (publication === 'draft') return { publication }
    const { interested } = await readRegistrantCounts(tx, workshopId)
    if (interested > 0) {
      throw formRefusal('workshop_has_people', { count: interested })
    }
    if ((await findMainSession(tx, workshopId))?.startedAt) {
      throw formRefusal('workshop_started')
    }
    await tx.update(workshop).set({ publication: 'draft', updatedAt: new Date() }).where(eq(workshop.id, workshopId))
    return { publication: 'draft' }
  })
}

const BLOCKERS: Partial<Record<EventPublishCheck['key'], string>> = {
  title: 'workshop_needs_title',
  start: 'workshop_needs_start',
  host: 'workshop_needs_host',
  access: 'workshop_needs_access',
}

async function runModuleChecks(tx: Tx, workshopId: string, more: readonly ModuleChecks[]): Promise<ModuleCheck[]> {
  const checks: ModuleCheck[] = []
  for (const check of more) checks.push(...(await check(tx, workshopId)))
  return checks
}

async function readPublishChecks(tx: Tx, workshopId: string, now: Date): Promise<EventPublishCheck[]> {
  const [checks] = await tx
    .select()
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), isNull(workshop.deletedAt)))
  if (!checks) throw new Refusal('not_found')
  const staff = await readEventStaff(tx, workshopId)
  const items = await readItems(tx, workshopId)
  const [{ rehearsals = 0 } = {}] = await tx
    .select({ rehearsals: count() })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopSession.kind, 'rehearsal'),
        isNotNull(workshopSession.finishedAt),
      ),
    )
  const { type, title, description, startAt, access, coverFileId, slidesFileId } = checks
  return eventPublishChecks(
    {
      type,
      title,
      description,
      startAt,
      access,
      hasCover: coverFileId !== null,
      hasSlides: slidesFileId !== null,
      hosts: staff.filter(({ role }) => role === 'host').length,
      moderators: staff.filter(({ role }) => role === 'moderator').length,
      items: { button: items.button.length, poll: items.poll.length, handout: items.handout.length },
      rehearsed: rehearsals > 0,
    },
    now,
  )
}
