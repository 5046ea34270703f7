import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { and, eq } from 'drizzle-orm'
import { composeRecording } from '#lib/core/broadcast/compose.ts'
import { recordingPlace, stopRecording } from '#lib/core/broadcast/recording.ts'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { MediaError } from '#lib/core/media/run.ts'
import { takeIn } from '#lib/storage/storage.ts'
import { workshop, workshopSession, workshopStaff } from '#lib/workshop/table.ts'
import { keepFilm } from '#lib/workshop/workshop.ts'
import { tellOfFullStorage } from './full-letter.ts'

/**
 * Makes the film of a finished session of what was recorded and puts it into the school's storage, as a file of its host.
 * Safe to run twice, and anywhere in between: the recording is removed only when the film is kept. Nothing is made where
 * nothing was recorded. A film for which the school has no space left is kept, and the owners are told.
 */
export async function composeFilm(
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const session = await inTenant({ tenantId }, (tx) => load(tx, sessionId))
  if (!session?.startedAt || !session.finishedAt) return
  const place = recordingPlace(sessionId)
  await stopRecording(sessionId).catch(() => {})
  if (!session.filmFileId) {
    const out = path.join(config.dataDir, 'broadcast', `${sessionId}-${randomUUID()}.mp4`)
    try {
      const span = { since: session.startedAt, until: session.finishedAt }
      const film = await composeRecording(place, span, out, { signal })
      const { fileId, overQuota } = await takeIn({
        ...{ tenantId, path: out, name: filmName(session.title), ownerId: session.ownerId },
        // One session has one film: a job that runs twice takes the same in.
        fileId: sessionId,
      })
      await inTenant({ tenantId }, async (tx) => {
        await keepFilm(tx, sessionId, { fileId, offsetMs: film.offsetMs })
        if (overQuota) await tellOfFullStorage(tx, tenantId, { sessionId, title: session.title })
      })
    } catch (error) {
      if (error instanceof MediaError && error.fault === 'empty') return
      throw error
    } finally {
      await rm(out, { force: true })
    }
  }
  await rm(place, { recursive: true, force: true })
}

const filmName = (title: string): string =>
  `${
    title
      .replace(/[\\/:*?"<>|]+/g, ' ')
      .trim()
      .slice(0, 120) || 'film'
  }.mp4`

async function load(tx: Tx, sessionId: string) {
  const { startedAt, finishedAt, filmFileId } = workshopSession
  const [found] = await tx
    .select({
      startedAt,
      finishedAt,
      filmFileId,
      title: workshop.title,
      createdBy: workshop.createdBy,
      id: workshop.id,
    })
    .from(workshopSession)
    .innerJoin(workshop, eq(workshop.id, workshopSession.workshopId))
    .where(eq(workshopSession.id, sessionId))
  if (!found) return null
  const [host] = await tx
    .select({ memberId: workshopStaff.memberId })
    .from(workshopStaff)
    .where(and(eq(workshopStaff.workshopId, found.id), eq(workshopStaff.role, 'host')))
    .orderBy(workshopStaff.position)
  return { ...found, ownerId: host?.memberId ?? found.createdBy }
}
