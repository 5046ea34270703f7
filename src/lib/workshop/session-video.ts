import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { workshopSession } from './table.ts'

interface SessionVideo {
  fileId: string
  offsetMs: number
}

/** Saves the video of a session unless it already has one. */
export const saveSessionVideo = (tx: Tx, sessionId: string, video: SessionVideo): Promise<void> =>
  setSessionVideo(tx, and(eq(workshopSession.id, sessionId), isNull(workshopSession.videoFileId)), video)

/** Replaces the video of a session by a trimmed part, or by the whole video again. */
export const replaceSessionVideo = (tx: Tx, sessionId: string, video: SessionVideo): Promise<void> =>
  setSessionVideo(tx, eq(workshopSession.id, sessionId), video)

async function setSessionVideo(tx: Tx, condition: SQL | undefined, { fileId, offsetMs }: SessionVideo): Promise<void> {
  await tx.update(workshopSession).set({ videoFileId: fileId, videoOffsetMs: offsetMs }).where(condition)
}

/** Removes the video of a session; the file remains. */
export async function removeSessionVideo(tx: Tx, sessionId: string): Promise<void> {
  await tx.update(workshopSession).set({ videoFileId: null }).where(eq(workshopSession.id, sessionId))
}
