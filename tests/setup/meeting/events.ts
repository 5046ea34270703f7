import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { unsealJoinKey } from '#lib/registration/join-key.ts'
import { registration } from '#lib/registration/table.ts'
import type { WorkshopFacts } from '#lib/workshop/schema.ts'
import { WorkshopSettings } from '#lib/workshop/schema.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { createWorkshop } from '../parsed/workshop.ts'
import type { TestTenant } from '../tenants.ts'

type Settings = Parameters<typeof WorkshopSettings.parse>[0]

/** A published webinar with its session, as rows of the database. */
export async function createWebinar(
  owner: Actor,
  { settings = {}, ...facts }: Partial<WorkshopFacts> & { settings?: Settings } = {},
): Promise<{ workshopId: string; sessionId: string }> {
  const { workshopId, sessionId } = await createWorkshop(owner, {
    type: 'webinar',
    title: 'Вебінар',
    timeZone: 'Europe/Kyiv',
    access: 'registration',
    ...facts,
  })
  await inTenant(owner, (tx) =>
    tx
      .update(workshop)
      .set({ publication: 'published', publishedAt: new Date(), settings: WorkshopSettings.parse(settings) })
      .where(eq(workshop.id, workshopId)),
  )
  return { workshopId, sessionId: sessionId ?? '' }
}

/** Changes the row of an event or its session directly. */
export async function updateEvent(
  owner: Actor,
  { workshopId, sessionId }: { workshopId: string; sessionId: string },
  event: Partial<typeof workshop.$inferInsert>,
  session: Partial<typeof workshopSession.$inferInsert> = {},
): Promise<void> {
  await inTenant(owner, async (tx) => {
    if (Object.keys(event).length > 0) await tx.update(workshop).set(event).where(eq(workshop.id, workshopId))
    if (Object.keys(session).length > 0) {
      await tx.update(workshopSession).set(session).where(eq(workshopSession.id, sessionId))
    }
  })
}

/** A visitor without a sign-in on a page of a school. */
export const visitorAt = ({ tenant }: TestTenant, locale: 'uk' | 'en' = 'uk') => ({
  tenantId: tenant.id,
  actor: null,
  locale,
  address: `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.7`,
})

/** Registrations of an event by address, each with the key of its link. */
export async function listRegistrants(owner: Actor, workshopId: string) {
  const rows = await inTenant(owner, (tx) =>
    tx.select().from(registration).where(eq(registration.workshopId, workshopId)),
  )
  return new Map(rows.map((row) => [row.email, { ...row, key: unsealJoinKey(row) }]))
}
