import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { projectChat } from '#lib/meeting/chat/projection.ts'
import { fillMinutes } from '#lib/statistics/card-rules.ts'
import { findEventStatus, getStatistics } from '#lib/statistics/statistics.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { requestApi } from '../../api/api-request.ts'
import { exportViewers, findSessionMessages, listStatistics, listViewers } from '../../setup/parsed/statistics.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'

import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const START = Date.parse('2026-10-25T00:30:00Z')
const at = (minutes: number) => new Date(START + minutes * 60_000)
const LATER = at(120)

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

/** A webinar of an hour with three viewers, on the night of a clock change in Europe/Kyiv. */
async function evening() {
  const owner = ours.as.OWNER
  const { workshopId, sessionId } = await createWorkshop(owner, {
    type: 'webinar',
    title: 'Нічний ефір',
    timeZone: 'Europe/Kyiv',
    startAt: at(0).toISOString(),
  })
  const ref = { tenantId: ours.tenant.id, id: sessionId ?? '' }
  const [host = '', early = '', whole = '', late = ''] = Array.from({ length: 4 }, newId)
  const person = { tenantId: ref.tenantId, sessionId: ref.id, workshopId }
  await inTenant(ref, (tx) =>
    tx.insert(workshopParticipant).values([
      { ...person, id: host, kind: 'staff', role: 'host', name: 'Ведуча' },
      { ...person, id: early, kind: 'guest', name: 'Рання', email: 'early@example.com' },
      { ...person, id: whole, kind: 'guest', name: 'Ціла' },
      { ...person, id: late, kind: 'guest', name: '=cmd|calc' },
    ]),
  )
  const buttonId = newId()
  const author = { name: 'Рання', role: 'viewer' as const }
  const content = { label: 'Купити', url: 'https://example.com/' }
  const log: (NewEvent & { at: Date })[] = [
    { at: at(-5), type: 'user.connect', actorId: early, payload: {} },
    { at: at(0), type: 'webinar.start', actorId: host, payload: {} },
    { at: at(0), type: 'user.connect', actorId: whole, payload: {} },
    { at: at(4), type: 'message', actorId: early, payload: { messageId: newId(), author, text: 'Чутно?' } },
    {
      at: at(5),
      type: 'message',
      actorId: host,
      payload: { messageId: newId(), author: { name: 'Ведуча', role: 'host' }, text: 'Так' },
    },
    { at: at(10), type: 'user.leave', actorId: early, payload: {} },
    { at: at(20), type: 'button.show', actorId: host, payload: { buttonId, content } },
    { at: at(21), type: 'user.sawButton', actorId: whole, payload: { buttonId } },
    { at: at(30), type: 'user.connect', actorId: late, payload: {} },
    { at: at(31), type: 'user.sawButton', actorId: late, payload: { buttonId } },
    { at: at(32), type: 'user.click', actorId: late, payload: { buttonId } },
    { at: at(40), type: 'window.change', actorId: late, payload: { visible: false } },
    { at: at(55), type: 'window.change', actorId: late, payload: { visible: true } },
    { at: at(60), type: 'webinar.finish', actorId: host, payload: {} },
  ]
  await inTenant(ref, async (tx) => {
    const { events } = await appendEvents(tx, ref, log)
    await projectChat(tx, ref, events)
  })
  return { workshopId, sessionId: ref.id, buttonId, early, whole, late }
}

describe('the statistics of an event', () => {
  test('explain each card', async () => {
    const { workshopId } = await evening()
    const { cards, totals, isComplete: complete } = await getStatistics(ours.as.EXPERT, { workshopId }, LATER)
    const value = Object.fromEntries(cards.map((card) => [card.key, card.value]))
    // Ten minutes, an hour and half an hour: a hundred minutes of three people in sixty minutes.
    expect(value).toMatchObject({ viewers: 3, peak: 2, averageMinutes: 100 / 3, averageOnline: 100 / 60 })
    expect(value).toMatchObject({ stayed: 2 / 3, messages: 1 / 3, saw: 2, clicks: 0.5, registered: 0, came: null })
    expect({ complete, staff: totals.staffMessages }).toEqual({ complete: true, staff: 1 })
  })

  test('chart every minute, including the hour that occurs twice', async () => {
    const { workshopId } = await evening()
    const { minutes, marks } = await getStatistics(ours.as.OWNER, { workshopId }, LATER)
    expect(minutes.map(({ minute }) => minute)).toEqual(Array.from({ length: 66 }, (_, index) => index - 5))
    const online = Object.fromEntries(minutes.map(({ minute, online }) => [minute, online]))
    expect(online).toMatchObject({ '-5': 1, 0: 2, 9: 2, 10: 1, 29: 1, 30: 2, 59: 2, 60: 0 })
    expect(marks.map(({ type, offsetMs, label }) => [type, offsetMs / 60_000, label])).toEqual([
      ['webinar.start', 0, ''],
      ['button.show', 20, 'Купити'],
      ['webinar.finish', 60, ''],
    ])
  })

  test('list viewers with their stays and their attention', async () => {
    const { sessionId, workshopId } = await evening()
    await getStatistics(ours.as.OWNER, { workshopId }, LATER)
    const { items } = await listViewers(ours.as.OWNER, { sessionId }, LATER)
    expect(
      items.map(({ name, watchedSeconds, attention, isPresent: here }) => [name, watchedSeconds / 60, attention, here]),
    ).toEqual([
      ['Рання', 10, 1, false],
      ['Ціла', 60, 1, false],
      ['=cmd|calc', 30, 0.5, false],
    ])
    expect(items[2]?.stays).toEqual([[at(30).getTime(), at(60).getTime()]])
  })

  test('find who saw a button without clicking it, who clicked, and who left early', async () => {
    const { sessionId, workshopId, buttonId, whole, late, early } = await evening()
    await getStatistics(ours.as.OWNER, { workshopId }, LATER)
    const ids = async (show: 'sawOnly' | 'clicked' | 'leftEarly') =>
      (await listViewers(ours.as.OWNER, { sessionId, show, buttonId }, LATER)).items.map(({ id }) => id)
    expect([await ids('sawOnly'), await ids('clicked'), await ids('leftEarly')]).toEqual([[whole], [late], [early]])
  })

  test('page through many viewers without a loss or a duplicate', async () => {
    const { workshopId, sessionId } = await createWorkshop(ours.as.OWNER, {
      type: 'webinar',
      title: 'Людно',
      timeZone: 'Europe/Kyiv',
    })
    const ref = { tenantId: ours.tenant.id, id: sessionId ?? '' }
    const ids = Array.from({ length: 120 }, newId)
    await inTenant(ref, async (tx) => {
      await tx.insert(workshopParticipant).values(
        ids.map((id) => ({
          tenantId: ref.tenantId,
          id,
          sessionId: ref.id,
          workshopId,
          kind: 'guest' as const,
          name: 'Хтось',
        })),
      )
      const comes = ids.map((actorId): NewEvent => ({ type: 'user.connect', actorId, payload: {} }))
      await appendEvents(tx, ref, comes, at(0))
    })
    await getStatistics(ours.as.OWNER, { workshopId }, at(1))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listViewers(ours.as.OWNER, { sessionId: ref.id, ...(cursor && { cursor }) }, at(1))
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen.sort()).toEqual(ids.sort())
    expect(await exportViewers(ours.as.OWNER, { sessionId: ref.id }, at(1))).toHaveLength(120)
  })

  test('find messages of a time range, and by a word', async () => {
    const { sessionId } = await evening()
    const readStatistics = async (more: object) =>
      (await findSessionMessages(ours.as.OWNER, { sessionId, ...more })).items.map(({ text }) => text)
    expect(await readStatistics({})).toEqual(['Чутно?', 'Так'])
    expect(await readStatistics({ from: 5, to: 5 })).toEqual(['Так'])
    expect(await readStatistics({ search: 'чут' })).toEqual(['Чутно?'])
    expect(await readStatistics({ search: '%' })).toEqual([])
  })

  test('grow while the event runs', async () => {
    const { workshopId, sessionId } = await createWorkshop(ours.as.OWNER, {
      type: 'webinar',
      title: 'Зараз',
      timeZone: 'Europe/Kyiv',
    })
    const ref = { tenantId: ours.tenant.id, id: sessionId ?? '' }
    const id = newId()
    await inTenant(ref, async (tx) => {
      await tx
        .insert(workshopParticipant)
        .values({ tenantId: ref.tenantId, id, sessionId: ref.id, workshopId, kind: 'guest', name: 'Є' })
      await appendEvents(
        tx,
        ref,
        [
          { type: 'webinar.start', payload: {} },
          { type: 'user.connect', actorId: id, payload: {} },
        ],
        at(0),
      )
    })
    const minutes = async (now: Date) =>
      (await getStatistics(ours.as.OWNER, { workshopId }, now)).cards.find(({ key }) => key === 'averageMinutes')?.value
    expect([await minutes(at(3)), await minutes(at(8))]).toEqual([3, 8])
  })

  test('are limited to those who manage content, and not found by another tenant', async () => {
    const { workshopId, sessionId } = await evening()
    for (const role of ROLES.filter((otherRole) => !['OWNER', 'DIRECTOR', 'EXPERT'].includes(otherRole))) {
      const actor = ours.as[role]
      await expect((async () => getStatistics(actor, { workshopId }))(), role).rejects.toEqual(code('forbidden'))
      await expect((async () => listViewers(actor, { sessionId }))(), role).rejects.toEqual(code('forbidden'))
      await expect((async () => exportViewers(actor, { sessionId }))(), role).rejects.toEqual(code('forbidden'))
      await expect((async () => findSessionMessages(actor, { sessionId }))(), role).rejects.toEqual(code('forbidden'))
      await expect((async () => listStatistics(actor, {}))(), role).rejects.toEqual(code('forbidden'))
    }
    const stranger = theirs.as.OWNER
    await expect(getStatistics(stranger, { workshopId })).rejects.toEqual(code('not_found'))
    const unknown = { workshopId, sessionId: newId() }
    await expect(getStatistics(ours.as.OWNER, unknown)).rejects.toEqual(code('not_found'))
    await expect(findEventStatus(ours.as.OWNER, unknown)).rejects.toEqual(code('not_found'))
    const reply = await requestApi('GET', 'statistics/get?workshopId=no-id', { actor: ours.as.OWNER })
    expect(reply).toMatchObject({ status: 400, body: { fields: { workshopId: [expect.any(String)] } } })
    await expect(listViewers(stranger, { sessionId })).rejects.toEqual(code('not_found'))
    await expect(findSessionMessages(stranger, { sessionId })).rejects.toEqual(code('not_found'))
    expect((await listStatistics(stranger, {})).items).toEqual([])
  })

  test('are empty, and not a missing page, for an automated webinar without viewers', async () => {
    const { workshopId } = await createWorkshop(ours.as.OWNER, {
      type: 'autoWebinar',
      title: 'Запис без глядачів',
      timeZone: 'Europe/Kyiv',
    })
    const { workshop, counted } = await findEventStatus(ours.as.OWNER, { workshopId })
    expect([workshop.title, counted]).toEqual(['Запис без глядачів', false])
    expect(await findEventStatus(ours.as.OWNER, await evening())).toMatchObject({ counted: true })
    await expect(findEventStatus(theirs.as.OWNER, { workshopId })).rejects.toEqual(code('not_found'))
    await expect(findEventStatus(ours.as.MODERATOR, { workshopId })).rejects.toEqual(code('forbidden'))
  })

  test('list past sessions, newest first', async () => {
    const { workshopId } = await evening()
    await getStatistics(ours.as.OWNER, { workshopId }, LATER)
    const { items } = await listStatistics(ours.as.DIRECTOR, { search: 'Нічний' })
    expect(items[0]).toMatchObject({ title: 'Нічний ефір', type: 'webinar', isRunning: false, at: at(0) })
    expect(items.find((row) => row.workshopId === workshopId)).toMatchObject({
      viewers: 3,
      peak: 2,
      messages: 1,
      clicks: 1,
    })
  })
})

test('a chart fills minutes without events', () => {
  const row = { peak: 3, messages: 1, questions: 0, clicks: 0 }
  const filled = fillMinutes(
    [
      { ...row, minute: 10, online: 3 },
      { ...row, minute: 13, online: 1 },
    ],
    600_000,
    14 * 60_000,
  )
  expect(filled.map(({ minute, online, messages }) => [minute, online, messages])).toEqual([
    [0, 3, 1],
    [1, 3, 0],
    [2, 3, 0],
    [3, 1, 1],
    [4, 1, 0],
  ])
})
