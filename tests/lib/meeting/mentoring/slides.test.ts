import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { enterMentoringRoom } from '#lib/meeting/mentoring/room.ts'
import { MAX_SLIDES_BYTES, showSessionSlides } from '#lib/meeting/mentoring/slides.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { createOtherTenant } from '../../../setup/tenants.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

let school: Mentoring
let startAt: Date
let bookingId: string
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'slides-'))
  school = await createMentoring()
  const { home, programId, student, mentor } = school
  const { version, settings } = await getProgram(home.as.OWNER, { programId })
  await saveProgram(home.as.OWNER, { programId, version, settings: { ...settings, place: 'room', placeText: '' } })
  startAt = await nextSlot(school)
  bookingId = newId()
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt }, NOW)
  await bookSession(student, { bookingId, answers: {} }, NOW)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = (minutes: number) => new Date(startAt.getTime() + minutes * MINUTE_MS)

async function show(actor: Actor, content: Buffer = PDF, { name = 'Слайди.pdf', minutes = 0 } = {}): Promise<void> {
  const local = path.join(folder, 'file')
  await writeFile(local, content)
  await showSessionSlides(actor, { bookingId, path: local, name }, at(minutes))
}

test('the slides of the mentor are shown to both, before and after they enter, and others replace them', async () => {
  await show(school.mentor, PDF, { minutes: -5 })
  const student = await enterMentoringRoom(school.student, { bookingId }, startAt)
  expect(student.state).toMatchObject({ mode: 'presentationAndBroadcast', slide: { page: 1 } })
  expect(student.slides).toMatch(/^https?:|^\//)
  const { fileId } = student.state.slide
  await show(school.mentor, Buffer.concat([PDF, Buffer.from('2')]), { minutes: 5 })
  const mentor = await enterMentoringRoom(school.mentor, { bookingId }, at(6))
  for (const { seatToken } of [student, mentor]) {
    const room = await getRoom({ seatToken })
    expect(room.state.slide.fileId).not.toBe(fileId)
    expect(room.slides).not.toBeNull()
  }
  const { rows } = await inTenant(school.mentor, (tx) => tx.execute(sql`select owner_id, area, mime from file`))
  expect(rows).toEqual(
    Array(2).fill({ owner_id: school.mentor.membershipId, area: 'storage', mime: 'application/pdf' }),
  )
})

test('only the mentor shows slides, and only while the room is open', async () => {
  await expect(show(school.student)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(show(school.home.as.OWNER)).rejects.toMatchObject({ code: 'forbidden' })
  for (const stranger of [school.second, (await createOtherTenant()).as.OWNER])
    await expect(show(stranger)).rejects.toMatchObject({ code: 'not_found' })
  await expect(show(school.mentor, PDF, { minutes: -11 })).rejects.toMatchObject({
    details: { fields: { form: ['room_not_open'] } },
  })
  const { rows } = await inTenant(school.mentor, (tx) => tx.execute(sql`select id from file`))
  expect(rows).toEqual([])
})

test('what is no PDF, or too large, is refused', async () => {
  const refused = (field: string) => ({ details: { fields: { file: [field] } } })
  await expect(show(school.mentor, PDF, { name: 'Слайди.pptx' })).rejects.toMatchObject(refused('slides_not_pdf'))
  await expect(show(school.mentor, Buffer.from('GIF89a not a document'))).rejects.toMatchObject({ code: 'wrong_type' })
  await expect(show(school.mentor, Buffer.alloc(MAX_SLIDES_BYTES + 1))).rejects.toMatchObject(refused('file_too_large'))
})
