import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { WorkshopStatus } from '#lib/core/shared/event/live-event.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { tenant } from '#lib/tenant/table.ts'
import { sessionStatusOf } from '#lib/workshop/rules.ts'
import { WorkshopSettings } from '#lib/workshop/schema.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'

/** An event with the session that a registration is for: one session of an auto-webinar, otherwise the only one. */
export interface RegistrationEvent {
  tenantId: string
  school: { name: string; subdomain: string; timeZone: string }
  id: string
  type: 'webinar' | 'autoWebinar' | 'masterclass'
  title: string
  description: string
  language: 'uk' | 'en'
  coverFileId: string | null
  access: 'open' | 'registration' | 'students' | 'paid' | 'link'
  isPublished: boolean
  isCanceled: boolean
  /** Start of this session. */
  startAt: Date | null
  timeZone: string
  plannedMinutes: number
  scheduleVersion: number
  settings: WorkshopSettings
  sessionId: string | null
  startedAt: Date | null
  finishedAt: Date | null
}

/** Session id stored in registrations: set for auto-webinars, null for other events. */
export const registrationSessionId = ({
  type,
  sessionId,
}: Pick<RegistrationEvent, 'type' | 'sessionId'>): string | null => (type === 'autoWebinar' ? sessionId : null)

/** An event, with the given session if any. Refuses with not_found for an archived or unknown one. */
export async function requireEvent(
  tx: Tx,
  workshopId: string,
  sessionId: string | null = null,
): Promise<RegistrationEvent> {
  const [row] = await selectEvents(tx, workshopId, sessionId)
  if (!row) throw new Refusal('not_found')
  return row
}

/** The same, or null when it does not exist any more: for jobs. */
export async function findEvent(
  tx: Tx,
  workshopId: string,
  sessionId: string | null,
): Promise<RegistrationEvent | null> {
  const [row] = await selectEvents(tx, workshopId, sessionId)
  return row ?? null
}

/** Status of the session at an instant. */
export const eventStatus = (event: RegistrationEvent, now: Date): WorkshopStatus =>
  sessionStatusOf({ ...event, publication: event.isPublished ? 'published' : 'draft' }, now)

async function selectEvents(tx: Tx, workshopId: string, sessionId: string | null): Promise<RegistrationEvent[]> {
  const session = sessionId ? eq(workshopSession.id, sessionId) : inArray(workshopSession.kind, ['live', 'onDemand'])
  const rows = await tx
    .select({
      event: workshop,
      school: { name: tenant.name, subdomain: tenant.subdomain, timeZone: tenant.timeZone },
      session: {
        id: workshopSession.id,
        startAt: workshopSession.startAt,
        startedAt: workshopSession.startedAt,
        finishedAt: workshopSession.finishedAt,
        canceledAt: workshopSession.canceledAt,
        plannedMinutes: workshopSession.plannedMinutes,
      },
    })
    .from(workshop)
    .innerJoin(tenant, eq(tenant.id, workshop.tenantId))
    .leftJoin(workshopSession, and(eq(workshopSession.workshopId, workshop.id), session))
    .where(and(eq(workshop.id, workshopId), isNull(workshop.archivedAt), isNull(workshop.deletedAt)))
    .orderBy(asc(workshopSession.createdAt))
    .limit(1)
  // A given session must belong to the event.
  const known = rows.filter((row) => sessionId === null || row.session !== null)
  return known.map(({ event, school, session }) => {
    const auto = event.type === 'autoWebinar'
    return {
      tenantId: event.tenantId,
      school,
      id: event.id,
      type: event.type,
      title: event.title,
      description: event.description,
      language: event.language,
      coverFileId: event.coverFileId,
      access: event.access,
      isPublished: event.publication === 'published',
      isCanceled: event.canceledAt !== null || (session?.canceledAt ?? null) !== null,
      startAt: auto ? (session?.startAt ?? null) : event.startAt,
      timeZone: event.timeZone,
      plannedMinutes: auto ? (session?.plannedMinutes ?? event.plannedMinutes) : event.plannedMinutes,
      scheduleVersion: event.scheduleVersion,
      // Settings of an older event may lack newer fields.
      settings: parseStored(WorkshopSettings, event.settings),
      sessionId: session?.id ?? null,
      startedAt: session?.startedAt ?? null,
      finishedAt: session?.finishedAt ?? null,
    }
  })
}
