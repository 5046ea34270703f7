import type { AstroGlobal } from 'astro'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { savePlan } from '#lib/autowebinar/plan.ts'
import { Schedule } from '#lib/autowebinar/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { workshop } from '#lib/workshop/table.ts'
import { enterRoom } from '../../src/pages/meeting/join/_enter.ts'
import { addStoredVideo } from '../setup/media/stored-video.ts'
import { makeFromVideo } from '../setup/parsed/autowebinar.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'

async function onDemand({ as: { OWNER } }: TestTenant): Promise<string> {
  const made = await makeFromVideo(OWNER, {
    fileId: await addStoredVideo(OWNER, { duration: null }),
    title: 'Коли завгодно',
    timeZone: 'Europe/Kyiv',
    plannedMinutes: 60,
  })
  const { workshopId } = made
  const schedule = Schedule.parse({ zone: 'Europe/Kyiv', onDemand: true })
  await savePlan(OWNER, { workshopId, version: 1, schedule })
  const set = { publication: 'published' as const, access: 'open' as const }
  await inTenant(OWNER, (tx) => tx.update(workshop).set(set).where(eq(workshop.id, workshopId)))
  return workshopId
}

/** A request to the page of the room or its form, with the cookies of the browser. */
async function visit(
  { tenant }: TestTenant,
  workshopId: string,
  path: string,
  form: Record<string, string> | null,
  device?: string,
) {
  const url = new URL(path, 'https://school.test')
  const body = form && new URLSearchParams(form)
  const locals = { actor: null, locale: 'uk', t: getTranslator('uk') }
  const cookies = { get: () => (device ? { value: device } : undefined), set: () => {} }
  const page = { request: new Request(url, { method: form ? 'POST' : 'GET', body }), locals, url, cookies }
  return enterRoom(page as never as AstroGlobal, tenant.id, workshopId)
}

test.each([
  ['keeps no cookies', false],
  ['keeps them', true],
])('a guest whose browser %s enters a name once, and returns to their own session', async (_, keeps) => {
  const home = await createTestTenant()
  const workshopId = await onDemand(home)
  const path = `/meeting/join/${workshopId}`
  const visited = await visit(home, workshopId, path, null)
  expect(visited.answer === null && visited.view.kind).toBe('name')
  const device = keeps && visited.answer === null ? visited.view.device : undefined
  const { answer } = await visit(home, workshopId, path, { name: 'Олена' }, device)
  const location = answer?.headers.get('location') ?? ''
  expect(location.includes('seatToken=')).toBe(!keeps)
  const [first, again] = [
    await visit(home, workshopId, location, null, device),
    await visit(home, workshopId, location, null, device),
  ]
  const seen = [first, again].map((visited) =>
    visited.answer === null && visited.view.kind === 'room' ? visited.view.room : null,
  )
  expect(seen.map((room) => room?.me.name)).toEqual(['Олена', 'Олена'])
  expect(new Set(seen.map((room) => room?.sessionId)).size).toBe(1)
})
