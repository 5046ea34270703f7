import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { savePlan } from '#lib/autowebinar/plan.ts'
import { Schedule } from '#lib/autowebinar/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { EnterInput } from '#lib/meeting/admission/enter.ts'
import { enterMeeting } from '#lib/meeting/admission/enter.ts'
import { workshop } from '#lib/workshop/table.ts'
import { addStoredVideo } from '../../setup/media/stored-video.ts'
import { makeFromVideo } from '../../setup/parsed/autowebinar.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let workshopId: string
beforeAll(async () => {
  home = await createTestTenant()
  const owner = home.as.OWNER
  const made = await makeFromVideo(owner, {
    fileId: await addStoredVideo(owner, { duration: null }),
    title: 'Коли завгодно',
    timeZone: 'Europe/Kyiv',
    plannedMinutes: 60,
  })
  workshopId = made.workshopId
  const schedule = Schedule.parse({ zone: 'Europe/Kyiv', onDemand: true })
  await savePlan(owner, { workshopId, version: 1, schedule })
  const set = { publication: 'published' as const, access: 'open' as const }
  await inTenant(owner, (tx) => tx.update(workshop).set(set).where(eq(workshop.id, workshopId)))
})

/** A visitor who enters a number of minutes ago. */
const enter = (minutes: number, input: Partial<EnterInput> = {}) =>
  enterMeeting(
    home.tenant.id,
    { workshopId, actor: null, locale: 'uk', ...input },
    new Date(Date.now() - minutes * 60_000),
  )

async function inside(minutes: number, input: Partial<EnterInput> = {}) {
  const view = await enter(minutes, input)
  if (view.kind !== 'room') throw new Error(`found ${view.kind}`)
  return { ...view.room, device: view.device }
}

test('a guest without cookies gets a session of their own from the beginning', async () => {
  expect((await enter(20)).kind).toBe('name')
  const olena = await inside(20, { name: 'Олена' })
  const iryna = await inside(5, { name: 'Ірина' })
  expect(iryna.sessionId).not.toBe(olena.sessionId)
  expect(iryna.me.personId).not.toBe(olena.me.personId)
  const startOf = ({ auto }: typeof olena) => auto?.startAt ?? 0
  expect(startOf(iryna) - startOf(olena)).toBeGreaterThan(14 * 60_000)
})

test('a returning viewer with the seat token or cookie continues the session they started', async () => {
  const begun = await inside(20, { name: 'Олена' })
  const [bySeatToken, byCookie] = [
    await inside(2, { seatToken: begun.seatToken }),
    await inside(1, { device: begun.device }),
  ]
  for (const back of [bySeatToken, byCookie]) {
    expect(back).toMatchObject({ sessionId: begun.sessionId, me: { personId: begun.me.personId, name: 'Олена' } })
    expect(back.auto?.startAt).toBe(begun.auto?.startAt)
  }
})

test('a session of one viewer cannot be opened with another cookie', async () => {
  const begun = await inside(20, { name: 'Олена' })
  const other = await inside(2, { name: 'Ірина', device: 'D'.repeat(24) })
  expect(other.sessionId).not.toBe(begun.sessionId)
  expect((await enter(1, { device: 'E'.repeat(24) })).kind).toBe('name')
})
