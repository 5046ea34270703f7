import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { enterMeeting } from '#lib/meeting/admission/enter.ts'
import { exportChat } from '#lib/meeting/chat/message-pages.ts'
import { banPerson } from '#lib/meeting/chat/moderation.ts'
import { finishEvent, setChat, setMode, setSlide } from '#lib/meeting/control.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { getSessionRecording, setRecordingConsent, setRoomConsent } from '#lib/meeting/mentoring/recording.ts'
import { enterMentoringRoom } from '#lib/meeting/mentoring/room.ts'
import { roomChannel } from '#lib/meeting/room-rules.ts'
import type { MentoringRoomView } from '#lib/meeting/room-schema.ts'
import { changeEncoder } from '#lib/meeting/stage/encoder.ts'
import { goOffAir, goOnAir } from '#lib/meeting/stage/stage.ts'
import { cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { getSession } from '#lib/mentoring/session/session.ts'
import { countLiveEvents } from '#lib/workshop/conference-limit.ts'
import { listWorkshops } from '#lib/workshop/list.ts'
import { ListWorkshops } from '#lib/workshop/schema.ts'
import { countWorkshops } from '#lib/workshop/settings/create.ts'
import { undoDelete } from '#lib/workshop/settings/end.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
let startAt: Date
let bookingId: string
beforeEach(async () => {
  school = await createMentoring()
  const { home, programId, student, mentor } = school
  const { version, settings } = await getProgram(home.as.OWNER, { programId })
  await saveProgram(home.as.OWNER, { programId, version, settings: { ...settings, place: 'room', placeText: '' } })
  startAt = await nextSlot(school)
  bookingId = newId()
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt }, NOW)
  await bookSession(student, { bookingId, answers: {} }, NOW)
})

const at = (minutes: number) => new Date(startAt.getTime() + minutes * MINUTE_MS)
const enter = (actor: Actor, minutes = 0) => enterMentoringRoom(actor, { bookingId }, at(minutes))

test('mentor and student meet in one room, in which both publish and which is live from the first entry', async () => {
  const [mentor, student] = await Promise.all([enter(school.mentor), enter(school.student)])
  expect(student.sessionId).toBe(mentor.sessionId)
  expect([mentor.me.role, student.me.role]).toEqual(['host', 'student'])
  for (const view of [mentor, student]) {
    expect(view.state.phase).toBe('live')
    expect(view.media.publish).not.toBeNull()
    expect(view.workshop.recorded).toBe(false)
    expect(view.exitPath).toBe(`/mentoring?booking=${bookingId}`)
    expect((await getRoom({ seatToken: view.seatToken })).exitPath).toBe(`/mentoring?booking=${bookingId}`)
  }
  expect((await enter(school.student, 5)).sessionId).toBe(mentor.sessionId)
})

test('nobody else enters, also not by the address of an event', async () => {
  const { workshop } = await enter(school.mentor)
  for (const actor of [school.second, (await createOtherTenant()).as.OWNER, (await createOtherTenant()).as.MENTOR]) {
    await expect(enter(actor)).rejects.toMatchObject({ code: 'not_found' })
  }
  const owner = school.home.as.OWNER
  await expect(enter(owner)).rejects.toMatchObject({ code: 'forbidden' })
  for (const actor of [owner, school.second, school.student]) {
    await expect(enterMeeting(owner.tenantId, { workshopId: workshop.id, actor, locale: 'uk' })).rejects.toMatchObject({
      code: 'not_found',
    })
  }
})

test('the room is open from ten minutes before the session until an hour after it, unless it is canceled', async () => {
  const isOpen = async (minutes: number) => (await getSession(school.student, { bookingId }, at(minutes))).isRoomOpen
  expect([await isOpen(-11), await isOpen(-10), await isOpen(119), await isOpen(121)]).toEqual([
    false,
    true,
    true,
    false,
  ])
  await expect(enter(school.student, -11)).rejects.toMatchObject({ details: { fields: { form: ['room_not_open'] } } })
  await cancelBooking(school.mentor, { bookingId, reason: 'Хвороба' }, new Date(startAt.getTime() - HOUR_MS))
  await expect(enter(school.student)).rejects.toMatchObject({ details: { fields: { form: ['room_not_open'] } } })
})

test('a room is in no list of events, counts towards no limit and cannot be restored as a draft', async () => {
  const { workshop } = await enter(school.mentor)
  const owner = school.home.as.OWNER
  expect((await listWorkshops(owner, ListWorkshops.parse({}))).items).toEqual([])
  expect(await inTenant(owner, (tx) => Promise.all([countLiveEvents(tx), countWorkshops(tx)]))).toEqual([0, 0])
  await undoDelete(owner, { workshopIds: [workshop.id] }).catch(() => undefined)
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute(sql`select 1 from workshop where id = ${workshop.id} and deleted_at is null`),
  )
  expect(rows).toEqual([])
})

test('a student neither ends the session nor leads it, and the mentor does', async () => {
  const [mentor, student] = await Promise.all([enter(school.mentor), enter(school.student)])
  const { seatToken } = student
  const attempts = await Promise.allSettled([
    finishEvent({ seatToken }),
    setMode({ seatToken, mode: 'broadcast' }),
    setSlide({ seatToken, fileId: null, page: 2 }),
    setChat({ seatToken, chat: mentor.state.chat }),
    goOffAir({ seatToken, personId: mentor.me.personId, kind: 'camera' }),
    banPerson({ seatToken, personId: mentor.me.personId, on: true, reason: 'x' }),
    exportChat({ seatToken }, getTranslator('uk')),
    changeEncoder({ seatToken, on: true }),
  ])
  for (const attempt of attempts) expect(attempt).toMatchObject({ reason: { code: 'forbidden' } })
  expect(student).toMatchObject({ items: null, staff: null })
  await goOnAir({ seatToken, kind: 'camera', personId: null, microphone: true, camera: true })
  expect((await getRoom({ seatToken })).state).toMatchObject({ phase: 'live', onAir: [{ kind: 'camera' }] })
  await finishEvent({ seatToken: mentor.seatToken })
  expect((await getRoom({ seatToken: mentor.seatToken })).state.phase).toBe('finished')
})

test('consent to the recording is given in the room, and everybody there sees it at once', async () => {
  const [mentor, student] = await Promise.all([enter(school.mentor), enter(school.student)])
  const agreed = (view: { mentoring: MentoringRoomView | null }) =>
    view.mentoring?.consent.people.map(({ memberId, hasAgreed }) => [memberId, hasAgreed])
  const [mentorId, studentId] = [school.mentor.membershipId, school.student.membershipId]
  expect(mentor.mentoring).toMatchObject({ memberId: mentorId, consent: { isRecorded: false } })
  expect(agreed(student)).toEqual([
    [mentorId, false],
    [studentId, false],
  ])
  await setRoomConsent({ seatToken: mentor.seatToken, agrees: true }, at(5))
  await setRoomConsent({ seatToken: student.seatToken, agrees: true }, at(5))
  const view = await getRoom({ seatToken: student.seatToken })
  expect(view.mentoring?.consent.isRecorded).toBe(true)
  expect(view.workshop.recorded).toBe(true)
  await setRoomConsent({ seatToken: student.seatToken, agrees: false }, at(6))
  expect(agreed(await getRoom({ seatToken: mentor.seatToken }))).toEqual([
    [mentorId, true],
    [studentId, false],
  ])
  const { rows } = await inTenant(school.mentor, (tx) =>
    tx.execute<{ payload: unknown }>(sql`select payload from live_event where channel = ${roomChannel(mentor.sessionId)}
      and payload ? 'consent' order by id`),
  )
  expect(rows.map(({ payload }) => payload)).toMatchObject([
    { consent: { isRecorded: false } },
    { consent: { isRecorded: true } },
    { consent: { isRecorded: false } },
  ])
  await expect(setRoomConsent({ seatToken: mentor.seatToken, agrees: true }, at(121))).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('after an end for both, who returns within the time gets a new room', async () => {
  const first = await enter(school.mentor)
  await finishEvent({ seatToken: first.seatToken })
  const second = await enter(school.student, 20)
  expect(second.sessionId).not.toBe(first.sessionId)
  expect((await enter(school.mentor, 21)).sessionId).toBe(second.sessionId)
})

test('a session is recorded while the mentor and its student agree, and by nobody else', async () => {
  const consent = (actor: Actor, agrees: boolean) => setRecordingConsent(actor, { bookingId, agrees }, at(-30))
  const read = (actor: Actor) => getSessionRecording(actor, { bookingId }, at(-30))
  expect(await read(school.student)).toEqual({ canChange: true, hasAgreed: false, haveAllAgreed: false, videos: [] })
  await consent(school.student, true)
  await consent(school.student, true)
  expect((await enter(school.student)).workshop.recorded).toBe(false)
  expect(await read(school.mentor)).toMatchObject({ hasAgreed: false, haveAllAgreed: false })
  await consent(school.mentor, true)
  expect(await read(school.student)).toMatchObject({ hasAgreed: true, haveAllAgreed: true })
  expect((await enter(school.mentor)).workshop.recorded).toBe(true)
  await consent(school.student, false)
  expect((await enter(school.mentor)).workshop.recorded).toBe(false)
  const strangers = [school.second, (await createOtherTenant()).as.OWNER, (await createOtherTenant()).as.STUDENT]
  for (const stranger of strangers) {
    await expect(consent(stranger, true)).rejects.toMatchObject({ code: 'not_found' })
    await expect(read(stranger)).rejects.toMatchObject({ code: 'not_found' })
  }
  const owner = school.home.as.OWNER
  await expect(consent(owner, true)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await read(owner)).toMatchObject({ canChange: false, videos: [] })
  const late = { bookingId, agrees: true }
  await expect(setRecordingConsent(school.mentor, late, at(121))).rejects.toMatchObject({ code: 'conflict' })
})

test('the video of a session is shown to its mentor and its student only', async () => {
  const { sessionId } = await enter(school.mentor)
  const { membershipId, tenantId } = school.mentor
  const fileId = newId()
  await inTenant(school.mentor, async (tx) => {
    await tx.execute(sql`insert into file (tenant_id, id, owner_id, kind, name, mime, size)
      values (${tenantId}, ${fileId}, ${membershipId}, 'video', 'Зустріч.mp4', 'video/mp4', 1000)`)
    await tx.execute(sql`update workshop_session set video_file_id = ${fileId} where id = ${sessionId}`)
  })
  for (const actor of [school.mentor, school.student]) {
    expect((await getSessionRecording(actor, { bookingId }, at(90))).videos).toHaveLength(1)
  }
  expect((await getSessionRecording(school.home.as.OWNER, { bookingId }, at(90))).videos).toEqual([])
})
