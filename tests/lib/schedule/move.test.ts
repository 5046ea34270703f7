import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { addMeeting } from '#lib/attendance/meeting.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { findTimeConflicts } from '#lib/schedule/move/conflicts.ts'
import { findHoliday } from '#lib/schedule/move/holidays.ts'
import { moveScheduleItem, previewMove, repeatWeekly } from '#lib/schedule/move/move.ts'
import { saveScheduleNote } from '#lib/schedule/note.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { createEvent, listTitles } from '../../setup/schedule.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let groupId: string
let events = 0
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  const { courseId } = await publishedCourse(owner)
  const dates = { startAt: '2027-03-01T07:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  groupId = (await createGroup(owner, { courseId, name: 'Весняна', ...dates })).groupId
})

const FROM = '2027-04-07T15:00:00.000Z'
const TO = '2027-04-08T15:00:00.000Z'
const newEvent = (at = FROM) => createEvent(owner, `Подія ${++events}`, new Date(at))
const addSpeaker = (workshopId: string, { membershipId }: Actor) =>
  inTenant(owner, (tx) =>
    tx.execute(sql`insert into workshop_staff (tenant_id, workshop_id, member_id, role)
      values (current_tenant(), ${workshopId}, ${membershipId}, 'speaker')`),
  )
const startOf = (workshopId: string) =>
  inTenant(owner, async (tx) => {
    const { rows } = await tx.execute<{ startAt: string; version: number }>(sql`select start_at as "startAt",
      schedule_version as version from workshop where id = ${workshopId}`)
    return { startAt: new Date(rows[0]?.startAt ?? 0).toISOString(), version: rows[0]?.version }
  })
const keyOf = (id: string) => ({ day: '2027-04-07', kind: 'webinar' as const, id })
const move = (id: string) => ({ kind: 'webinar' as const, id, from: FROM, startAt: TO })

test('an event is moved once, however often the request is repeated', async () => {
  const id = await newEvent()
  await Promise.all([moveScheduleItem(owner, move(id)), moveScheduleItem(owner, move(id))])
  expect(await startOf(id)).toEqual({ startAt: TO, version: 2 })
  await expect(moveScheduleItem(owner, { ...move(id), startAt: '2027-04-09T15:00:00.000Z' })).rejects.toMatchObject({
    code: 'conflict',
  })
  await moveScheduleItem(owner, { ...move(id), from: TO, startAt: FROM })
  expect(await startOf(id)).toEqual({ startAt: FROM, version: 3 })
})

test('who may move an event is decided by its module', async () => {
  const id = await newEvent()
  await addSpeaker(id, home.as.PRESENTER)
  const may: string[] = []
  for (const role of ROLES) {
    const current = (await startOf(id)).startAt
    const startAt = new Date(Date.parse(current) + 60_000).toISOString()
    await moveScheduleItem(home.as[role], { ...move(id), from: current, startAt }).then(
      () => may.push(role),
      (error) => expect(error).toMatchObject({ code: 'forbidden' }),
    )
  }
  expect(may).toEqual(['OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER'])
  await expect(moveScheduleItem(other.as.OWNER, move(id))).rejects.toMatchObject({ code: 'not_found' })
  await expect(moveScheduleItem(owner, move(newId()))).rejects.toMatchObject({ code: 'not_found' })
})

test('with registrants the question whether to notify has to be answered, and the preview counts them', async () => {
  const id = await newEvent()
  await inTenant(owner, (tx) =>
    tx.execute(sql`insert into registration (tenant_id, id, workshop_id, email, name, locale, time_zone, state, source,
        join_digest, join_sealed, answers)
      select current_tenant(), ${newId()}, ${id}, 'reg@schedule.test', 'Ірина', 'uk', 'Europe/Kyiv', 'confirmed', '{}',
        'digest-schedule', 'sealed', '{}'`),
  )
  expect(await previewMove(owner, { key: keyOf(id), startAt: new Date(TO) })).toMatchObject({ people: 1 })
  await expect(moveScheduleItem(owner, move(id))).rejects.toMatchObject({ code: 'unprocessable' })
  await moveScheduleItem(owner, { ...move(id), notify: true })
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute(sql`select data from pgboss.job where name = 'registration.rescheduled'
      and data->>'workshopId' = ${id} and data->>'notify' = 'true'`),
  )
  expect(rows).toHaveLength(1)
})

test('the preview names presenters and groups that are busy, hours and holidays', async () => {
  const [id, busy] = [await newEvent(), await newEvent('2027-04-08T15:30:00.000Z')]
  for (const workshopId of [id, busy]) {
    await addSpeaker(workshopId, home.as.PRESENTER)
    await addMeeting(owner, { groupId, workshopId })
  }
  const key = { ...keyOf(id), kind: 'meeting' as const }
  const { conflicts } = await previewMove(owner, { key, startAt: new Date(TO) })
  expect(conflicts).toMatchObject({
    presenters: expect.arrayContaining([
      { name: 'presenter Тест', title: `Подія ${events}`, startAt: new Date('2027-04-08T15:30:00.000Z') },
    ]),
    groups: [{ name: 'Весняна' }],
    outsideHours: null,
    holiday: null,
  })
  const free = await previewMove(owner, { key, startAt: new Date('2027-05-02T21:30:00Z') })
  expect(free.conflicts).toMatchObject({
    presenters: [],
    groups: [],
    outsideHours: { from: '08:00', to: '21:00' },
  })
  const later = await previewMove(owner, { key, startAt: new Date('2027-04-09T16:30:00Z') })
  expect(later.conflicts).toMatchObject({ presenters: [], groups: [] })
  for (const actor of [home.as.MODERATOR, home.as.STUDENT, other.as.OWNER]) {
    await expect(previewMove(actor, { key, startAt: new Date(TO) })).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('a note is moved by its author', async () => {
  const noteId = newId()
  const member = home.as.MEMBER
  await saveScheduleNote(member, { noteId, title: 'Моє', text: '', startAt: FROM, minutes: null, version: null })
  const input = { kind: 'note' as const, id: noteId, from: FROM, startAt: TO }
  await moveScheduleItem(member, input)
  await moveScheduleItem(member, input)
  expect(await listTitles(member, { view: 'day', date: '2027-04-08' })).toEqual(['note Моє'])
  await expect(moveScheduleItem(owner, input)).rejects.toMatchObject({ code: 'not_found' })
})

test('weekly repetitions are drafts at the same local time across the clock change, added once', async () => {
  const from = '2027-03-24T17:00:00.000Z'
  const id = await newEvent(from)
  await addMeeting(owner, { groupId, workshopId: id })
  expect(await repeatWeekly(owner, { workshopId: id, weeks: 2, from })).toEqual({ added: 2 })
  expect(await repeatWeekly(owner, { workshopId: id, weeks: 2, from })).toEqual({ added: 0 })
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ at: string; publication: string }>(sql`select w.start_at as at, w.publication from workshop w
      join group_meeting gm on gm.tenant_id = w.tenant_id and gm.workshop_id = w.id
      where w.title = ${`Подія ${events}`} order by w.start_at`),
  )
  expect(rows.map(({ at, publication }) => [new Date(at).toISOString(), publication])).toEqual([
    [from, 'published'],
    ['2027-03-31T16:00:00.000Z', 'draft'],
    ['2027-04-07T16:00:00.000Z', 'draft'],
  ])
  await expect(repeatWeekly(owner, { workshopId: id, weeks: 1, from: TO })).rejects.toMatchObject({ code: 'conflict' })
  await expect(repeatWeekly(home.as.CURATOR, { workshopId: id, weeks: 1, from })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('public holidays of Ukraine are known, with the movable ones', () => {
  expect(['2026-04-12', '2027-05-02', '2028-04-16', '2025-04-20'].map(findHoliday)).toEqual(Array(4).fill('easter'))
  expect(findHoliday('2026-05-31')).toBe('trinity')
  expect(findHoliday('2026-08-24')).toBe('independenceDay')
  expect(findHoliday('2026-01-07')).toBeNull()
})

test('working hours are those of the zone of the school, and end at midnight at the latest', () => {
  const at = (time: string) => new Date(`2027-03-10T${time}:00Z`)
  const outside = (from: string, to: string, hours = { from: '08:00', to: '21:00' }) =>
    findTimeConflicts({ startAt: at(from), endAt: at(to), zone: 'Europe/Kyiv', hours }).outsideHours !== null
  expect([outside('06:00', '07:00'), outside('18:00', '19:00')]).toEqual([false, false])
  expect([outside('05:59', '07:00'), outside('18:30', '19:30'), outside('21:00', '22:00')]).toEqual([true, true, true])
  expect(outside('21:00', '22:00', { from: '20:00', to: '24:00' })).toBe(false)
  expect(outside('21:00', '22:01', { from: '20:00', to: '24:00' })).toBe(true)
})
