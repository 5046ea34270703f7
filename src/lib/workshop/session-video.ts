import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { workshopSession } from './table.ts'

/** The film of a session is in the storage; the first one stays. */
export async function saveSessionVideo(
  tx: Tx,
  sessionId: string,
  film: { fileId: string; offsetMs: number },
): Promise<void> {
  await tx
    .update(workshopSession)
    .set({ filmFileId: film.fileId, filmOffsetMs: film.offsetMs })
    .where(and(eq(workshopSession.id, sessionId), isNull(workshopSession.filmFileId)))
}

/** Another film takes the place of the one that a session has: a part of it, or the whole again. */
export async function replaceSessionVideo(
  tx: Tx,
  sessionId: string,
  film: { fileId: string; offsetMs: number },
): Promise<void> {
  await tx
    .update(workshopSession)
    .set({ filmFileId: film.fileId, filmOffsetMs: film.offsetMs })
    .where(eq(workshopSession.id, sessionId))
}
