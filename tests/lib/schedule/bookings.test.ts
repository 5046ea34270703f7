import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot, moveBooking } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { getProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { readFeed, renewFeed } from '#lib/schedule/feed/feed.ts'
import { findConflicts } from '#lib/schedule/move/conflicts.ts'
import { moveScheduleItem, previewMove } from '#lib/schedule/move/move.ts'
import { MoveScheduleItem } from '#lib/schedule/move/schema.ts'
import { getScheduleItem, loadSchedule } from '#lib/schedule/schedule.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../setup/mentoring.ts'
import { createEvent, listTitles } from '../../setup/schedule.ts'
import { createOtherTenant } from '../../setup/tenants.ts'

let school: Mentoring
let startAt: Date
let bookingId: string
let month: Record<string, string>

beforeAll(async () => {
  school = await createMentoring()
  startAt = await nextSlot(school)
  bookingId = await book(school.student, startAt)
  month = { date: localDay(startAt, 'Europe/Kyiv') }
})

async function book(student: Actor, at: Date): Promise<string> {
  const { programId, mentor } = school
  const id = newId()
  await holdSlot(student, { programId, bookingId: id, mentorId: mentor.membershipId, startAt: at }, NOW)
  await bookSession(student, { bookingId: id, answers: {} }, NOW)
  return id
}

const itemsOf = async (actor: Actor, request: Record<string, string> = {}) => {
  const { days } = await loadSchedule(actor, { view: 'month', ...month, kind: 'booking', ...request }, NOW)
  return days.flatMap(({ items }) => items)
}

test('a booking is in the schedule of its student, its mentor and managers of content, each with the other names', async () => {
  const { student, second, mentor, home } = school
  expect(await itemsOf(student)).toMatchObject([
    { id: `${bookingId}.student`, title: 'Портфоліо дизайнера', startAt, href: `/mentoring?booking=${bookingId}` },
  ])
  expect((await itemsOf(mentor))[0]).toMatchObject({
    id: `${bookingId}.mentor`,
    isDraft: false,
    moveTarget: { type: 'booking', id: bookingId },
  })
  expect((await itemsOf(student))[0]?.moveTarget).toBeNull()
  expect((await itemsOf(student))[0]?.context).not.toBe((await itemsOf(mentor))[0]?.context)
  for (const role of ['OWNER', 'DIRECTOR', 'EXPERT'] as const) expect(await itemsOf(home.as[role])).toHaveLength(1)
  const others = [second, home.as.CURATOR, home.as.PRESENTER, home.as.MODERATOR, home.as.MEMBER]
  for (const actor of others) expect(await itemsOf(actor)).toEqual([])
  expect(await itemsOf((await createOtherTenant()).as.OWNER)).toEqual([])
})

test('filters by person and kind apply to bookings, those by course and group exclude them', async () => {
  const { home, mentor } = school
  const owner = home.as.OWNER
  expect(await itemsOf(owner, { personId: mentor.membershipId })).toHaveLength(1)
  expect(await itemsOf(owner, { personId: owner.membershipId })).toEqual([])
  expect(await itemsOf(owner, { courseId: newId() })).toEqual([])
  expect(await listTitles(owner, { ...month, kind: 'webinar' }, NOW)).toEqual([])
})

test('a booking is found by its key only by those who see it', async () => {
  const key = { day: localDay(startAt, 'Europe/Kyiv'), kind: 'booking' as const, id: `${bookingId}.mentor` }
  expect(await getScheduleItem(school.mentor, key, NOW)).toMatchObject({ title: 'Портфоліо дизайнера' })
  for (const actor of [school.second, school.student]) {
    await expect(getScheduleItem(actor, key, NOW)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('the feed and the email of a person have the same entry, others than those of the other person', async () => {
  const uidsOf = async (actor: Actor) => {
    const token = /ical\/([\w-]+)\.ics$/.exec((await renewFeed(actor)).href)?.[1] ?? ''
    const { text } = await readFeed(token, null, new Date(startAt.getTime() - DAY_MS))
    return [...(text ?? '').matchAll(/^UID:(booking-\S+)@/gm)].map(([, uid]) => uid)
  }
  const mailed = await inTenant(school.student, (tx) =>
    tx.execute<{ to: string; file: string }>(sql`select "to", attachments -> 0 ->> 'content' as file from mail
      where once_key like ${`mentoring/%/${bookingId}/%`}`),
  )
  for (const actor of [school.student, school.mentor]) {
    const uids = await uidsOf(actor)
    expect(uids).toEqual([`booking-${bookingId}.${actor === school.mentor ? 'mentor' : 'student'}`])
    const file = mailed.rows.find(({ to }) => to === actor.email)?.file ?? ''
    expect(Buffer.from(file, 'base64').toString()).toContain(`UID:${uids[0]}@`)
  }
})

test('a move changes the time and the sequence of the entry, a cancellation removes it', async () => {
  const at = await nextSlot(school)
  const moved = await book(school.second, at)
  const next = await nextSlot(school)
  await moveBooking(school.second, { bookingId: moved, startAt: next, reason: '' }, NOW)
  expect(await itemsOf(school.second)).toMatchObject([{ startAt: next, sequence: 1 }])
  await cancelBooking(school.second, { bookingId: moved, reason: 'Хвороба' }, NOW)
  expect(await itemsOf(school.second)).toEqual([])
})

test('a requested session is marked as such, and a session of several students is one item of its mentor', async () => {
  const { home, programId, mentor, second, third } = school
  const owner = home.as.OWNER
  const { version, settings } = await getProgram(owner, { programId })
  const group = { ...settings, format: 'group' as const, seats: 5, confirmation: 'mentor' as const }
  await saveProgram(owner, { programId, version, settings: group })
  const at = await nextSlot(school)
  await book(second, at)
  await book(third, at)
  const items = (await itemsOf(mentor)).filter((item) => item.startAt.getTime() === at.getTime())
  expect(items).toMatchObject([{ id: expect.stringMatching(/\.group$/), isDraft: true }])
  expect(items[0]?.context?.split(', ')).toHaveLength(2)
  expect(await itemsOf(second)).toMatchObject([{ isDraft: true }])
})

test('moving an event to the time of a session of its presenter is a conflict', async () => {
  const { home, mentor } = school
  const workshopId = await createEvent(home.as.OWNER, 'Ефір', new Date(startAt.getTime() + DAY_MS))
  const find = (at: Date) =>
    inTenant(home.as.OWNER, async (tx) => {
      await tx.execute(sql`insert into workshop_staff (tenant_id, workshop_id, member_id, role)
        values (${mentor.tenantId}, ${workshopId}, ${mentor.membershipId}, 'speaker') on conflict do nothing`)
      const endAt = new Date(at.getTime() + 30 * 60_000)
      return (await findConflicts(tx, { workshopId, startAt: at, endAt, zone: 'Europe/Kyiv' })).presenters
    })
  expect(await find(startAt)).toMatchObject([{ title: 'Портфоліо дизайнера', startAt }])
  expect(await find(new Date(startAt.getTime() - DAY_MS / 2))).toEqual([])
})

test('a mentor moves a session in the schedule: conflicts and students are shown before, and a reason is required', async () => {
  const { mentor, student, second, home, programId } = await createMentoring()
  const { slots } = await getBookingPage(second, { programId, mentorId: mentor.membershipId }, NOW)
  const [at, other] = [slots[0], slots[6]].map((slot) => new Date(slot?.startAt ?? 0))
  if (!at || !other) throw new Error('no slot is free')
  const bookAt = async (actor: Actor, time: Date) => {
    const bookingId = newId()
    await holdSlot(actor, { programId, bookingId, mentorId: mentor.membershipId, startAt: time }, NOW)
    await bookSession(actor, { bookingId, answers: {} }, NOW)
    return bookingId
  }
  const id = await bookAt(student, at)
  await bookAt(second, other)
  const key = { kind: 'booking' as const, id: `${id}.mentor`, day: localDay(at, 'Europe/Kyiv') }
  const preview = await previewMove(mentor, { key, startAt: new Date(other.getTime() + 30 * 60_000) }, NOW)
  expect(preview).toMatchObject({ people: 1, conflicts: { presenters: [{ startAt: other }], outsideHours: null } })
  const target = new Date(at.getTime() + 7 * DAY_MS)
  const move = { kind: 'booking' as const, id, from: at.toISOString(), startAt: target.toISOString() }
  expect(MoveScheduleItem.safeParse(move).success).toBe(false)
  const reasoned = { ...move, reason: 'Відрядження' }
  for (const actor of [student, second]) {
    await expect(moveScheduleItem(actor, reasoned, NOW)).rejects.toMatchObject({
      code: actor === student ? 'forbidden' : 'not_found',
    })
  }
  await moveScheduleItem(mentor, reasoned, NOW)
  await moveScheduleItem(mentor, reasoned, NOW)
  const later = { ...reasoned, startAt: new Date(target.getTime() + DAY_MS).toISOString() }
  await expect(moveScheduleItem(home.as.OWNER, later, NOW)).rejects.toMatchObject({ code: 'conflict' })
  const moved = { ...key, day: localDay(target, 'Europe/Kyiv') }
  expect(await getScheduleItem(mentor, moved, NOW)).toMatchObject({ startAt: target, moveTarget: { id } })
})
