import { eq } from 'drizzle-orm'
import { startRecording, stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { afterCommit, inTenant, type Tx } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { appendAndPublish, type EventSessionRef } from '../publish-events.ts'
import { readEventSettings } from '../session.ts'

/** Records a session from now on, where its event is set so; after the commit. May be repeated. */
export async function startRoomRecording(tx: Tx, { sessionId }: EventSessionRef, workshopId: string): Promise<void> {
  const { settings } = await readEventSettings(tx, workshopId)
  if (!settings.record) return
  afterCommit(() => void startRecording(sessionId, recordingDirectory(sessionId)).catch(logFailure(sessionId)))
}

/** Tells the room of a live event that the disk stopped its recording, or lets it go on. Said twice it is told once. */
export function publishRecordingState(of: EventSessionRef, on: boolean): Promise<void> {
  return inTenant(of, async (tx) => {
    const { kind, state } = workshopSession
    const [session] = await tx
      .select({ kind, state })
      .from(workshopSession)
      .where(eq(workshopSession.id, of.sessionId))
      .for('no key update')
    if (session?.kind !== 'live' || session.state.phase !== 'live') return
    const isOn = !session.state.recordingStoppedAt
    if (isOn !== on) await appendAndPublish(tx, of, [{ type: 'recording.change', payload: { on } }])
  })
}

/** Ends the recording after the commit. */
export function stopRecordingRoom(sessionId: string): void {
  afterCommit(() => void stopRecording(sessionId).catch(logFailure(sessionId)))
}

// An event goes on without its recording; who looks after the installation hears of it.
const logFailure = (sessionId: string) => (error: unknown) => log.error({ err: error, sessionId }, 'recording')
