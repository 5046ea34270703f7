import { eq } from 'drizzle-orm'
import { startRecording, stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { afterCommit, inTenant, type Tx } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { appendAndPublish, type EventSessionRef } from '../publish-events.ts'
import { readEventSettings } from '../session.ts'
import { schedulePreliminaryReplay } from './preliminary-replay.ts'

/** Starts the recording of a session after the commit, if its event is recorded. Idempotent. */
export async function startRoomRecording(tx: Tx, sessionRef: EventSessionRef, workshopId: string): Promise<void> {
  const { settings } = await readEventSettings(tx, workshopId)
  if (!settings.record) return
  const { sessionId } = sessionRef
  if (settings.replay.enabled) await schedulePreliminaryReplay(sessionRef)
  afterCommit(() => void startRecording(sessionId, recordingDirectory(sessionId)).catch(logFailure(sessionId)))
}

/** Announces in the room that the recording stopped or resumed because of disk space. Idempotent. */
export function publishRecordingState(sessionRef: EventSessionRef, on: boolean): Promise<void> {
  return inTenant(sessionRef, async (tx) => {
    const { kind, state } = workshopSession
    const [session] = await tx
      .select({ kind, state })
      .from(workshopSession)
      .where(eq(workshopSession.id, sessionRef.sessionId))
      .for('no key update')
    if (session?.kind !== 'live' || session.state.phase !== 'live') return
    const isOn = !session.state.recordingStoppedAt
    if (isOn !== on) await appendAndPublish(tx, sessionRef, [{ type: 'recording.change', payload: { on } }])
  })
}

/** Stops the recording after the commit. */
export function stopRecordingRoom(sessionId: string): void {
  afterCommit(() => void stopRecording(sessionId).catch(logFailure(sessionId)))
}

// The event continues without its recording; the error is logged for the operator.
const logFailure = (sessionId: string) => (error: unknown) =>
  log.error({ err: error, sessionId }, 'a recording could not be started or stopped')
