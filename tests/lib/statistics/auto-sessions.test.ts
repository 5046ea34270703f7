import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { getPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { getAutoSessionStatistics } from '#lib/statistics/auto-sessions.ts'
import { countAllSessions } from '#lib/statistics/count-all.ts'
import { getStatistics } from '#lib/statistics/statistics.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { ensureAutoSession } from '#lib/workshop/session/session.ts'
import { whileRowsFail } from '../../setup/failing-rows.ts'
import { insertFiles } from '../../setup/files.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const START = Date.parse('2026-10-01T16:00:00Z')
const minutes = (count: number) => count * 60_000

let ours: TestTenant
let theirs: TestTenant
let workshopId = ''
const buttonId = newId()
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  const made = await createWorkshop(ours.as.OWNER, {
    type: 'autoWebinar',
    title: 'Щотижня',
    timeZone: 'Europe/Kyiv',
    plannedMinutes: 10,
  })
  workshopId = made.workshopId
  // Two finished sessions, and a running one.
  await runSession(
    0,
    [
      [0, 10],
      [2, 6],
    ],
    true,
  )
  await runSession(60, [[1, 4]], true)
  await runSession(120, [[3, null]], false)
})

/**
 * A session of ten minutes with viewers who were present during these minutes; the first of each presses the button.
 */
async function runSession(after: number, stays: [from: number, to: number | null][], over: boolean) {
  const begun = START + minutes(after)
  const scope = { tenantId: ours.tenant.id }
  const at = (minute: number) => new Date(begun + minutes(minute))
  await inTenant(scope, async (tx) => {
    const { sessionId } = await ensureAutoSession(tx, workshopId, { startAt: at(0), plannedMinutes: 10 })
    const people = stays.map(() => newId())
    const person = { ...scope, sessionId, workshopId, kind: 'guest' as const, name: 'Глядач' }
    await tx.insert(workshopParticipant).values(people.map((id) => ({ ...person, id })))
    const [first = ''] = people
    const log: (NewEvent & { at: Date })[] = [
      { at: at(0), type: 'webinar.start', payload: {} },
      ...stays.flatMap(([from, to], place) => [
        { at: at(from), type: 'user.connect' as const, actorId: people[place] ?? null, payload: {} },
        ...(to === null || to === 10
          ? []
          : [{ at: at(to), type: 'user.leave' as const, actorId: people[place] ?? null, payload: {} }]),
      ]),
      { at: at(3), type: 'user.sawButton', actorId: first, payload: { buttonId } },
      { at: at(3.5), type: 'user.click', actorId: first, payload: { buttonId } },
      ...(over ? [{ at: at(10), type: 'webinar.finish' as const, payload: { reason: 'script' as const } }] : []),
    ]
    await appendEvents(
      tx,
      { ...scope, id: sessionId },
      log.sort((a, b) => a.at.getTime() - b.at.getTime()),
    )
  })
}

const NOW = new Date(START + minutes(125))

/** Each session is counted when its page is opened, or by the job. */
async function counted() {
  const { sessions } = await getStatistics(ours.as.OWNER, { workshopId }, NOW)
  const all = []
  for (const { id } of sessions) all.push(await getStatistics(ours.as.OWNER, { workshopId, sessionId: id }, NOW))
  return all
}

test('a session that cannot be counted stops no other', async () => {
  const counted = async () => {
    const { rows } = await inTenant(ours.as.OWNER, (tx) =>
      tx.execute<{ id: string }>(sql`select session_id as id from session_rollup`),
    )
    return rows.map(({ id }) => id).sort()
  }
  const { rows } = await inTenant(ours.as.OWNER, (tx) =>
    tx.execute<{ id: string }>(sql`select id from workshop_session`),
  )
  const [bad = '', ...others] = rows.map(({ id }) => id)
  await whileRowsFail({ table: 'session_rollup', column: 'session_id', value: bad }, async () => {
    await expect(countAllSessions()).rejects.toThrow('1 of 3 items failed')
  })
  expect(await counted()).toEqual(others.sort())
  await countAllSessions()
  expect(await counted()).toEqual([bad, ...others].sort())
})

describe('all sessions of an automated webinar', () => {
  test('are the sum of each', async () => {
    const each = await counted()
    const all = await getAutoSessionStatistics(ours.as.OWNER, { workshopId }, NOW)
    const card = (key: string) => all.cards.find((card) => card.key === key)
    const sum = (read: (view: (typeof each)[number]) => number) => each.reduce((total, view) => total + read(view), 0)
    expect([all.sessionCount, card('viewers')?.value, card('peak')?.value]).toEqual([3, 4, 2])
    expect(card('viewers')?.value).toBe(sum(({ totals }) => totals.viewers))
    expect(card('clicks')).toMatchObject({ value: 1, total: sum(({ totals }) => totals.clicks) })
    // 10 + 4 and 3 minutes, and two so far of the running one, by four viewers.
    expect(card('averageMinutes')?.value).toBeCloseTo((10 + 4 + 3 + 2) / 4)
    expect(card('averageOnline')?.value).toBeCloseTo(19 / 25)
    expect(card('stayed')?.total).toBe(sum(({ totals }) => totals.stayed ?? 0))
  })

  test('report the number of viewers at each minute of the video', async () => {
    await counted()
    const { minutes: curve, buttons, latest } = await getAutoSessionStatistics(ours.as.OWNER, { workshopId }, NOW)
    expect(curve.map(({ online }) => online)).toEqual([1, 2, 3, 4, 3, 3, 2, 2, 2, 2, 1])
    expect(buttons).toEqual([expect.objectContaining({ id: buttonId, saw: 3, clicked: 3, clicks: 3 })])
    expect(latest.map(({ viewers }) => viewers)).toEqual([1, 1, 2])
  })

  test('show the video of their plan next to the messages of each', async () => {
    const [video = ''] = await insertFiles(ours.as.OWNER, [{ name: 'Запис.mp4', kind: 'video', mime: 'video/mp4' }])
    const { version } = await getPlan(ours.as.OWNER, { workshopId })
    await savePlan(ours.as.OWNER, { workshopId, version, videoFileId: video, videoOffsetMs: 4000 })
    const { session } = await getStatistics(ours.as.OWNER, { workshopId }, NOW)
    expect(session).toMatchObject({ videoFileId: video, videoOffsetMs: 4000 })
  })

  test('are limited to those who manage content, not found by another tenant, and empty for other events', async () => {
    for (const role of ROLES.filter((otherRole) => !['OWNER', 'DIRECTOR', 'EXPERT'].includes(otherRole)))
      await expect((async () => getAutoSessionStatistics(ours.as[role], { workshopId }))(), role).rejects.toEqual(
        code('forbidden'),
      )
    await expect(getAutoSessionStatistics(theirs.as.OWNER, { workshopId })).rejects.toEqual(code('not_found'))
    const other = await createWorkshop(ours.as.EXPERT, {
      type: 'webinar',
      title: 'Ефір',
      timeZone: 'Europe/Kyiv',
      startAt: NOW.toISOString(),
    })
    await expect(getAutoSessionStatistics(ours.as.OWNER, { workshopId: other.workshopId })).rejects.toEqual(
      code('not_found'),
    )
  })
})
