import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { workshopSession } from './table.ts'

/** Saves the video of a session unless it already has one. */
export async function saveSessionVideo(
  tx: Tx,
  sessionId: string,
  recording: { fileId: string; offsetMs: number },
): Promise<void> {
  await tx
    .update(workshopSession)
    .set({ videoFileId: recording.fileId, videoOffsetMs: recording.offsetMs })
    .where(and(eq(workshopSession.id, sessionId), isNull(workshopSession.videoFileId)))
}

/** Replaces the video of a session by a trimmed part, or by the whole video again. */
export async function replaceSessionVideo(
  tx: Tx,
  sessionId: string,
  recording: { fileId: string; offsetMs: number },
): Promise<void> {
  await tx
    .update(workshopSession)
    .set({ videoFileId: recording.fileId, videoOffsetMs: recording.offsetMs })
    .where(eq(workshopSession.id, sessionId))
}

/** Removes the video of a session; the file remains. */
export async function removeSessionVideo(tx: Tx, sessionId: string): Promise<void> {
  await tx.update(workshopSession).set({ videoFileId: null }).where(eq(workshopSession.id, sessionId))
}
