import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { runAdvance } from '#lib/autowebinar/advance.ts'
import { readPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { Schedule } from '#lib/autowebinar/schema.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { announceRescheduled, type Rescheduled } from '#lib/registration/email/announcements.ts'
import { moveScheduleItem, previewMove } from '#lib/schedule/move/move.ts'
import { getScheduleItem } from '#lib/schedule/schedule.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { listRegistrants, visitorAt } from '../../setup/meeting/events.ts'
import { makeFromVideo } from '../../setup/parsed/autowebinar.ts'
import { registerForEvent } from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const DAY_MS = 86_400_000
/** A Wednesday: sessions on Thursdays at 12:00 and 18:00 in Kyiv, which is two hours ahead of UTC. */
const NOW = new Date('2027-02-03T08:00:00Z')
const NOON = '2027-02-04T10:00:00.000Z'
const EVENING = '2027-02-04T16:00:00.000Z'
const FRIDAY = '2027-02-05T11:30:00.000Z'
const WEEKLY = { weekly: { days: [4], times: ['12:00', '18:00'] } }

let home: TestTenant
let other: TestTenant
let owner: Actor
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
})

async function newWebinar(schedule: object = WEEKLY): Promise<string> {
  const input = { title: 'Запис', timeZone: 'Europe/Kyiv', plannedMinutes: 60 }
  const { workshopId } = await makeFromVideo(owner, input)
  await savePlan(owner, { workshopId, version: 1, schedule: Schedule.parse({ zone: 'Europe/Kyiv', ...schedule }) })
  const set = { publication: 'published' as const, access: 'registration' as const }
  await inTenant(owner, (tx) => tx.update(workshop).set(set).where(eq(workshop.id, workshopId)))
  return workshopId
}

const keyAt = (workshopId: string, startAt: string) => ({
  day: startAt.slice(0, 10),
  kind: 'autoWebinar' as const,
  id: `${workshopId}.${Date.parse(startAt)}`,
})
const itemAt = (workshopId: string, startAt: string, actor = owner) =>
  getScheduleItem(actor, keyAt(workshopId, startAt), NOW).catch(() => null)
const move = (workshopId: string, startAt = FRIDAY, more: object = {}) => ({
  kind: 'autoWebinar' as const,
  id: workshopId,
  from: NOON,
  startAt,
  ...more,
})

async function register(workshopId: string, email: string, startAt = NOON) {
  const input = { workshopId, email, name: 'Олена', timeZone: 'Europe/Kyiv', sessionStart: startAt }
  await registerForEvent(visitorAt(home), input, NOW)
  const row = (await listRegistrants(owner, workshopId)).get(email)
  if (!row?.sessionId) throw new Error('nobody was registered')
  return row.sessionId
}

const jobsOf = async (workshopId: string) => {
  const { rows } = await pool.query<{ data: Rescheduled }>(
    `select data from pgboss.job where name = 'registration.rescheduled' and data->>'workshopId' = $1`,
    [workshopId],
  )
  return rows.map(({ data }) => data)
}

describe('a session of the weekly pattern', () => {
  test('moves alone, however often the request is repeated: other sessions of the day and other weeks stay', async () => {
    const workshopId = await newWebinar()
    const item = await itemAt(workshopId, NOON)
    expect(item?.moveTarget).toEqual({ type: 'autoSession', id: workshopId })
    await Promise.all([moveScheduleItem(owner, move(workshopId), NOW), moveScheduleItem(owner, move(workshopId), NOW)])
    expect(await itemAt(workshopId, NOON)).toBeNull()
    for (const startAt of [FRIDAY, EVENING, new Date(Date.parse(NOON) + 7 * DAY_MS).toISOString()])
      expect({ startAt, found: (await itemAt(workshopId, startAt)) !== null }).toEqual({ startAt, found: true })
    const moved = await inTenant(owner, (tx) => readPlan(tx, workshopId))
    expect(moved?.schedule).toMatchObject({
      skip: [],
      skipTimes: [{ day: '2027-02-04', time: '12:00' }],
      dates: [{ day: '2027-02-05', time: '13:30' }],
    })
    await expect(moveScheduleItem(owner, move(workshopId, '2027-02-06T10:00:00.000Z'), NOW)).rejects.toMatchObject({
      code: 'conflict',
    })
    // Back again, as undo does: it is a weekly session as before.
    await moveScheduleItem(owner, { ...move(workshopId, NOON), from: FRIDAY }, NOW)
    expect(await itemAt(workshopId, NOON)).not.toBeNull()
    expect(await itemAt(workshopId, FRIDAY)).toBeNull()
    const back = await inTenant(owner, (tx) => readPlan(tx, workshopId))
    expect(back?.schedule).toMatchObject({ ...WEEKLY, skip: [], skipTimes: [], dates: [] })
  })

  test('takes its registrants along, who are sent both times when wanted; links stay', async () => {
    const workshopId = await newWebinar()
    const email = 'olena-moved@visitor.test'
    const sessionId = await register(workshopId, email)
    await register(workshopId, 'stays@visitor.test', EVENING)
    expect(await previewMove(owner, { key: keyAt(workshopId, NOON), startAt: new Date(FRIDAY) }, NOW)).toMatchObject({
      people: 1,
      conflicts: { holiday: null, outsideHours: null },
    })
    await expect(moveScheduleItem(owner, move(workshopId), NOW)).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { notify: ['workshop_ask_notify'] }, data: { people: 1 } },
    })
    await moveScheduleItem(owner, move(workshopId, FRIDAY, { notify: true }), NOW)
    const row = (await listRegistrants(owner, workshopId)).get(email)
    expect(row?.sessionId).toBe(sessionId)
    const [stored] = await inTenant(owner, (tx) =>
      tx.select({ startAt: workshopSession.startAt }).from(workshopSession).where(eq(workshopSession.id, sessionId)),
    )
    expect(stored?.startAt?.toISOString()).toBe(FRIDAY)
    const [job] = await jobsOf(workshopId)
    if (!job) throw new Error('no job waits')
    expect(job).toMatchObject({ sessionId, notify: true })
    expect(await announceRescheduled(job, NOW)).toBe(1)
    expect(await announceRescheduled(job, NOW)).toBe(0)
    const [rescheduled] = await listEmailsTo(email, home.tenant.id)
    expect(rescheduled?.text).toContain('13:30')
    expect(rescheduled?.text).toContain('12:00')
    expect(await listEmailsTo('stays@visitor.test', home.tenant.id)).toHaveLength(1)
    // The job of the old time finds that the session has not started.
    await runAdvance({ tenantId: home.tenant.id, sessionId }, new Date(NOON))
    const [unchanged] = await inTenant(owner, (tx) =>
      tx
        .select({ startedAt: workshopSession.startedAt })
        .from(workshopSession)
        .where(eq(workshopSession.id, sessionId)),
    )
    expect(unchanged?.startedAt).toBeNull()
  })

  test('is not moved to the past, nor onto another session', async () => {
    const workshopId = await newWebinar()
    for (const [startAt, reason] of [
      ['2027-02-02T10:00:00.000Z', 'workshop_start_past'],
      [EVENING, 'auto_session_taken'],
      ['2027-02-05T11:30:30.000Z', 'auto_session_fixed'],
    ] as const)
      await expect(moveScheduleItem(owner, move(workshopId, startAt), NOW)).rejects.toMatchObject({
        code: 'unprocessable',
        details: { fields: { startAt: [reason] } },
      })
  })

  test('is moved by those who manage the event only', async () => {
    const may: string[] = []
    for (const role of ROLES) {
      const workshopId = await newWebinar()
      await moveScheduleItem(home.as[role], move(workshopId), NOW).then(
        () => may.push(role),
        (error) => expect(error).toMatchObject({ code: 'forbidden' }),
      )
    }
    expect(may).toEqual(['OWNER', 'DIRECTOR', 'EXPERT'])
    const workshopId = await newWebinar()
    await expect(moveScheduleItem(other.as.OWNER, move(workshopId), NOW)).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a session on a date is moved by replacing the date', async () => {
  const workshopId = await newWebinar({ dates: [{ day: '2027-02-04', time: '12:00' }], justInTime: 60, onDemand: true })
  await moveScheduleItem(owner, move(workshopId), NOW)
  const plan = await inTenant(owner, (tx) => readPlan(tx, workshopId))
  expect(plan?.schedule).toMatchObject({ dates: [{ day: '2027-02-05', time: '13:30' }], skip: [], onDemand: true })
})

test('a session of a pattern with sessions on demand moves too, and they stay', async () => {
  const workshopId = await newWebinar({ ...WEEKLY, onDemand: true, justInTime: 60 })
  await moveScheduleItem(owner, move(workshopId), NOW)
  expect(await itemAt(workshopId, NOON)).toBeNull()
  const plan = await inTenant(owner, (tx) => readPlan(tx, workshopId))
  expect(plan?.schedule).toMatchObject({ onDemand: true, justInTime: 60, skip: [] })
})

test('a session in the zone of the viewer cannot be moved alone', async () => {
  const workshopId = await newWebinar({ ...WEEKLY, zone: 'viewer' })
  // In the schedule of a reader in Kyiv it is at noon in Kyiv too.
  expect((await itemAt(workshopId, NOON))?.moveTarget).toBeNull()
  await expect(moveScheduleItem(owner, move(workshopId), NOW)).rejects.toMatchObject({ code: 'conflict' })
})
