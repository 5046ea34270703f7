import path from 'node:path'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { trimVideo } from '#lib/core/media/trim.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { file } from '#lib/storage/table.ts'
import { storeRecording } from '#lib/storage/video/store-recording.ts'
import { requireManagedWorkshop } from '#lib/workshop/permission.ts'
import { replaceSessionVideo } from '#lib/workshop/session-video.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { discardReplay } from './preliminary-replay.ts'
import { sendStorageFullEmail } from './storage-full-email.ts'
import { isValidRange } from './trim-rules.ts'
import { partVideoIdOf, slidesVideoIdOf, videoIdOf } from './video-id.ts'

export interface RecordingView {
  sessionId: string
  /** Length of the whole recording, in seconds. */
  lengthSeconds: number
  /** Seconds cut from the beginning of what replays play; null while the whole video is played. */
  trimmedSeconds: number | null
  /** Files in the storage: the video with slides, if any, then the video of the streams alone. */
  files: { id: string; name: string; slides: boolean }[]
}

/** The recording of a finished event, for its staff; null when there is none. Refuses with forbidden, not_found. */
export function getRecording(actor: Actor, input: { workshopId: string }): Promise<RecordingView | null> {
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, input.workshopId)
    const session = await findRecordedSession(tx, input.workshopId)
    if (!session) return null
    const { id: sessionId, seconds: lengthSeconds, videoFileId, videoOffsetMs } = session
    const fileIds = [slidesVideoIdOf(videoFileId), videoFileId]
    const { id, name } = file
    const rows = await tx
      .select({ id, name })
      .from(file)
      .where(and(inArray(id, fileIds), isNull(file.deletedAt)))
    const files = fileIds.flatMap((fileId, index) => {
      const row = rows.find((row) => row.id === fileId)
      return row ? [{ ...row, slides: index === 0 }] : []
    })
    return {
      sessionId,
      lengthSeconds,
      trimmedSeconds: videoFileId === videoIdOf(sessionId) ? null : -videoOffsetMs / 1000,
      files,
    }
  })
}

/**
 * Trims the replay to a part of the recording, in seconds of the whole video. A job creates it; the whole video remains
 * in the storage. From 0 to the end restores the whole. Refuses with forbidden, plan_inactive, not_found, invalid
 * (`trim_range`).
 */
export function trimRecording(actor: Actor, input: { workshopId: string; from: number; to: number }): Promise<void> {
  return inTenant(actor, async (tx) => {
    const { workshopId, from, to } = input
    await requireManagedWorkshop(tx, actor, workshopId)
    const session = await findRecordedSession(tx, workshopId)
    if (!session) throw new Refusal('not_found')
    if (!isValidRange({ from, to }, session.seconds)) throw new Refusal('invalid', { fields: { to: ['trim_range'] } })
    await enqueueJob('meeting.trim', { tenantId: actor.tenantId, sessionId: session.id, from, to })
  })
}

/** Job of trimRecording: creates the part of each existing video. Idempotent. */
export async function trimSessionVideos(
  { tenantId, sessionId, from, to }: { tenantId: string; sessionId: string; from: number; to: number },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const fullVideoId = videoIdOf(sessionId)
  const session = await inTenant({ tenantId }, (tx) => findSession(tx, sessionId))
  if (!session) return
  // It contains what is cut off.
  await discardReplay({ tenantId, sessionId })
  if (from === 0 && to >= Math.floor(session.seconds)) {
    await inTenant({ tenantId }, (tx) => replaceSessionVideo(tx, sessionId, { fileId: fullVideoId, offsetMs: 0 }))
    return
  }
  const partVideoId = partVideoIdOf(fullVideoId, { from, to })
  const t = getTranslator(session.language)
  for (const [sourceId, fileId] of [
    [slidesVideoIdOf(fullVideoId), slidesVideoIdOf(partVideoId)],
    [fullVideoId, partVideoId],
  ] as const) {
    const source = await inTenant({ tenantId }, (tx) => findFile(tx, sourceId))
    if (!source) continue
    const name = t('meeting:video.part', { title: source.name.replace(/\.mp4$/, '') })
    await withTemporaryFolder(async (folder) => {
      const localCopy = await store.openLocalCopy(`${tenantId}/${sourceId}`, folder)
      if (!localCopy) return
      const outputPath = path.join(folder, 'part.mp4')
      await trimVideo(localCopy.path, { from, to }, outputPath, { folder, signal })
      await localCopy.done()
      const placement = { ownerId: source.ownerId, folderId: source.parentId }
      const { overQuota } = await storeRecording({
        tenantId,
        fileId,
        path: outputPath,
        name: `${name}.mp4`,
        ...placement,
      })
      if (overQuota)
        await inTenant({ tenantId }, (tx) => sendStorageFullEmail(tx, tenantId, { sessionId, title: name }))
    })
    // Offsets stay relative to the session's start: the cut part lies before the video.
    if (sourceId === fullVideoId)
      await inTenant({ tenantId }, (tx) => replaceSessionVideo(tx, sessionId, { fileId, offsetMs: -from * 1000 }))
  }
}

async function findFile(tx: Tx, id: string) {
  const { name, ownerId, parentId } = file
  const [row] = await tx
    .select({ name, ownerId, parentId })
    .from(file)
    .where(and(eq(file.id, id), isNull(file.deletedAt)))
  return row ?? null
}

async function findSession(tx: Tx, sessionId: string) {
  const { startedAt, finishedAt, workshopId } = workshopSession
  const [row] = await tx
    .select({ startedAt, finishedAt, language: workshop.language })
    .from(workshopSession)
    .innerJoin(workshop, eq(workshop.id, workshopId))
    .where(eq(workshopSession.id, sessionId))
  if (!row?.startedAt || !row.finishedAt) return null
  return { language: row.language, seconds: (row.finishedAt.getTime() - row.startedAt.getTime()) / 1000 }
}

async function findRecordedSession(tx: Tx, workshopId: string) {
  const { id, videoFileId, videoOffsetMs, kind } = workshopSession
  const [row] = await tx
    .select({ id, videoFileId, videoOffsetMs })
    .from(workshopSession)
    .where(and(eq(workshopSession.workshopId, workshopId), eq(kind, 'live')))
  const session = row && (await findSession(tx, row.id))
  return session && row.videoFileId ? { ...session, ...row, videoFileId: row.videoFileId } : null
}
