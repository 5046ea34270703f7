import path from 'node:path'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { withScratch } from '#lib/core/media/scratch.ts'
import { trimFilm } from '#lib/core/media/trim.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { file } from '#lib/storage/table.ts'
import { takeIn } from '#lib/storage/video/recording-upload.ts'
import { replaceFilm } from '#lib/workshop/film.ts'
import { mustManage } from '#lib/workshop/permission.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { tellOfFullStorage } from './storage-full-email.ts'
import { isPart } from './trim-rules.ts'
import { filmIdOf, partIdOf, recordingIdOf } from './video-id.ts'

const Trim = z.object({ workshopId: z.uuid(), from: z.number().int().min(0), to: z.number().int().min(1) })

export interface RecordingView {
  sessionId: string
  /** Length of the whole recording, in seconds. */
  seconds: number
  /** Seconds that are cut off the beginning of what replays play; null while the whole is played. */
  cut: number | null
  /** Files in the storage: the recording with slides, if there were any, then the film of the streams alone. */
  files: { id: string; name: string; slides: boolean }[]
}

/** The recording of a finished event, for its staff; null where none is kept. Refuses with forbidden, not_found. */
export function getRecording(actor: Actor, input: { workshopId: string }): Promise<RecordingView | null> {
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, input.workshopId)
    const session = await findRecorded(tx, input.workshopId)
    if (!session) return null
    const { id: sessionId, seconds, filmFileId, filmOffsetMs } = session
    const wanted = [recordingIdOf(filmFileId), filmFileId]
    const { id, name } = file
    const rows = await tx
      .select({ id, name })
      .from(file)
      .where(and(inArray(id, wanted), isNull(file.deletedAt)))
    const files = wanted.flatMap((one, nth) => {
      const row = rows.find((row) => row.id === one)
      return row ? [{ ...row, slides: nth === 0 }] : []
    })
    return { sessionId, seconds, cut: filmFileId === filmIdOf(sessionId) ? null : -filmOffsetMs / 1000, files }
  })
}

/**
 * Lets replays play a part of the recording, in seconds of the whole; a job makes it, and the whole stays in the storage.
 * From 0 to the end is the whole again. Refuses with forbidden, plan_inactive, not_found, invalid (`trim_range`).
 */
export function trimRecording(actor: Actor, input: z.input<typeof Trim>): Promise<void> {
  return inTenant(actor, async (tx) => {
    const parsed = Trim.safeParse(input)
    if (!parsed.success) throw new Refusal('invalid', { fields: { to: ['trim_range'] } })
    const { workshopId, from, to } = parsed.data
    await mustManage(tx, actor, workshopId)
    const session = await findRecorded(tx, workshopId)
    if (!session) throw new Refusal('not_found')
    if (!isPart({ from, to }, session.seconds)) throw new Refusal('invalid', { fields: { to: ['trim_range'] } })
    await enqueueJob('meeting.trim', { tenantId: actor.tenantId, sessionId: session.id, from, to })
  })
}

/** The job behind trimRecording: makes the part of each film that is there. Safe to run twice. */
export async function trimFilms(
  { tenantId, sessionId, from, to }: { tenantId: string; sessionId: string; from: number; to: number },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const whole = filmIdOf(sessionId)
  const session = await inTenant({ tenantId }, (tx) => findSession(tx, sessionId))
  if (!session) return
  if (from === 0 && to >= Math.floor(session.seconds)) {
    await inTenant({ tenantId }, (tx) => replaceFilm(tx, sessionId, { fileId: whole, offsetMs: 0 }))
    return
  }
  const part = partIdOf(whole, { from, to })
  const t = translator(session.language)
  for (const [sourceId, fileId] of [
    [recordingIdOf(whole), recordingIdOf(part)],
    [whole, part],
  ] as const) {
    const source = await inTenant({ tenantId }, (tx) => findFile(tx, sourceId))
    if (!source) continue
    const name = t('meeting:film.part', { title: source.name.replace(/\.mp4$/, '') })
    await withScratch(async (folder) => {
      const lent = await store.lend(`${tenantId}/${sourceId}`, folder)
      if (!lent) return
      const out = path.join(folder, 'part.mp4')
      await trimFilm(lent.path, { from, to }, out, { folder, signal })
      await lent.done()
      const about = { ownerId: source.ownerId, folderId: source.parentId }
      const { overQuota } = await takeIn({ tenantId, fileId, path: out, name: `${name}.mp4`, ...about })
      if (overQuota) await inTenant({ tenantId }, (tx) => tellOfFullStorage(tx, tenantId, { sessionId, title: name }))
    })
    // The clock of the session stays: what is cut off lies before the film.
    if (sourceId === whole)
      await inTenant({ tenantId }, (tx) => replaceFilm(tx, sessionId, { fileId, offsetMs: -from * 1000 }))
  }
}

async function findFile(tx: Tx, id: string) {
  const { name, ownerId, parentId } = file
  const [found] = await tx
    .select({ name, ownerId, parentId })
    .from(file)
    .where(and(eq(file.id, id), isNull(file.deletedAt)))
  return found ?? null
}

async function findSession(tx: Tx, sessionId: string) {
  const { startedAt, finishedAt, workshopId } = workshopSession
  const [found] = await tx
    .select({ startedAt, finishedAt, language: workshop.language })
    .from(workshopSession)
    .innerJoin(workshop, eq(workshop.id, workshopId))
    .where(eq(workshopSession.id, sessionId))
  if (!found?.startedAt || !found.finishedAt) return null
  return { language: found.language, seconds: (found.finishedAt.getTime() - found.startedAt.getTime()) / 1000 }
}

async function findRecorded(tx: Tx, workshopId: string) {
  const { id, filmFileId, filmOffsetMs, kind } = workshopSession
  const [found] = await tx
    .select({ id, filmFileId, filmOffsetMs })
    .from(workshopSession)
    .where(and(eq(workshopSession.workshopId, workshopId), eq(kind, 'live')))
  const session = found && (await findSession(tx, found.id))
  return session && found.filmFileId ? { ...session, ...found, filmFileId: found.filmFileId } : null
}
