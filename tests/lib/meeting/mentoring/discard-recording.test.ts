import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { formatIndexEntry, INDEX_FILE, segmentFileName } from '#lib/core/broadcast/recording/segment-index.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { discardRecordings } from '#lib/meeting/mentoring/discard-recording.ts'
import { setRecordingConsent } from '#lib/meeting/mentoring/recording.ts'
import { enterMentoringRoom } from '#lib/meeting/mentoring/room.ts'
import { answerBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'

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
const consent = (actor: Actor, agrees: boolean, minutes: number) =>
  setRecordingConsent(actor, { bookingId, agrees }, at(minutes))

/** The room of a session whose people agree, with segments that began at these minutes. */
async function recordSession(minutes: readonly number[]): Promise<{ sessionId: string; folder: string }> {
  await consent(school.mentor, true, -5)
  await consent(school.student, true, -5)
  const { sessionId } = await enterMentoringRoom(school.mentor, { bookingId }, startAt)
  const folder = path.join(recordingDirectory(sessionId), 'camera')
  await mkdir(folder, { recursive: true })
  const video = { codec: null, width: null, height: null }
  const lines = minutes.map((minute, index) => formatIndexEntry({ n: index + 1, at: at(minute).getTime(), ...video }))
  await writeFile(path.join(folder, INDEX_FILE), lines.join(''))
  for (const index of minutes.keys()) await writeFile(path.join(folder, segmentFileName(index + 1)), 'segment')
  return { sessionId, folder }
}

const segmentsOf = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.mkv'))

async function discard(): Promise<void> {
  const { rows } = await inTenant(school.mentor, (tx) =>
    tx.execute<{ id: string }>(sql`select session_id as id from booking where id = ${bookingId}`),
  )
  await discardRecordings({ tenantId: school.home.tenant.id, mentorSessionId: rows[0]?.id ?? '' })
}

test('a withdrawn consent enqueues the deletion of what was recorded, which can be repeated', async () => {
  const { folder } = await recordSession([0, 5])
  await discard()
  expect(await segmentsOf(folder)).toHaveLength(2)
  await consent(school.student, false, 10)
  const { rows } = await inTenant(school.mentor, (tx) =>
    tx.execute(sql`select 1 from pgboss.job where name = 'meeting.discardRecording'
      and data ->> 'tenantId' = ${school.home.tenant.id}`),
  )
  expect(rows).toHaveLength(1)
  await discard()
  await discard()
  expect(await segmentsOf(folder)).toEqual([])
})

test('after a consent that was given again, only what was recorded since is kept', async () => {
  const { folder } = await recordSession([0, 5, 25])
  await consent(school.student, false, 10)
  await consent(school.student, true, 20)
  await consent(school.student, true, 30)
  await discard()
  expect(await segmentsOf(folder)).toEqual([segmentFileName(3)])
})

test('the video of a room that has ended is deleted with its storage, and remains when the session is completed', async () => {
  const { sessionId } = await recordSession([0])
  const { tenantId, membershipId } = school.mentor
  await inTenant(school.mentor, async (tx) => {
    await tx.execute(sql`insert into file (tenant_id, id, owner_id, kind, name, mime, size)
      values (${tenantId}, ${sessionId}, ${membershipId}, 'video', 'Зустріч.mp4', 'video/mp4', 1000)`)
    await tx.execute(sql`update workshop_session set video_file_id = ${sessionId},
      finished_at = ${at(50).toISOString()}::timestamptz where id = ${sessionId}`)
    await tx.execute(sql`insert into storage_use (tenant_id, original) values (${tenantId}, 1000)
      on conflict (tenant_id) do update set original = 1000`)
  })
  const readState = async () => {
    const { rows } = await inTenant(school.mentor, (tx) =>
      tx.execute(sql`select (select count(*)::int from file where id = ${sessionId}) as files,
        (select original::int from storage_use where tenant_id = current_tenant()) as bytes`),
    )
    return rows[0]
  }
  await discard()
  expect(await readState()).toEqual({ files: 1, bytes: 1000 })
  await consent(school.mentor, false, 60)
  await discard()
  await discard()
  expect(await readState()).toEqual({ files: 0, bytes: 0 })
})

test('the outcome that the mentor states does not end the consent', async () => {
  const { folder } = await recordSession([0])
  await answerBooking(school.mentor, { bookingId, action: 'complete' }, at(61))
  await discard()
  expect(await segmentsOf(folder)).toHaveLength(1)
})
