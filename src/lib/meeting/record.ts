import { recordingPlace, startRecording, stopRecording } from '#lib/core/broadcast/recording.ts'
import { afterCommit, type Tx } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import type { SessionOf } from './say.ts'
import { settingsOf } from './session.ts'

/** Records a session from now on, where its event is set so; after the commit. May be repeated. */
export async function recordRoom(tx: Tx, { sessionId }: SessionOf, workshopId: string): Promise<void> {
  const { settings } = await settingsOf(tx, workshopId)
  if (!settings.record) return
  afterCommit(() => void startRecording(sessionId, recordingPlace(sessionId)).catch(note(sessionId)))
}

/** Ends the recording after the commit. */
export function stopRecordingRoom(sessionId: string): void {
  afterCommit(() => void stopRecording(sessionId).catch(note(sessionId)))
}

// An event goes on without its recording; who looks after the installation hears of it.
const note = (sessionId: string) => (error: unknown) => log.error({ err: error, sessionId }, 'recording')
