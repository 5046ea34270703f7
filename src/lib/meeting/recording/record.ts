import { eq } from 'drizzle-orm'
import { recordingPlace } from '#lib/core/broadcast/recording/record-wanted.ts'
import { startRecording, stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { afterCommit, inTenant, type Tx } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { appendAndSay, type SessionOf } from '../publish-events.ts'
import { settingsOf } from '../session.ts'

/** Records a session from now on, where its event is set so; after the commit. May be repeated. */
export async function recordRoom(tx: Tx, { sessionId }: SessionOf, workshopId: string): Promise<void> {
  const { settings } = await settingsOf(tx, workshopId)
  if (!settings.record) return
  afterCommit(() => void startRecording(sessionId, recordingPlace(sessionId)).catch(note(sessionId)))
}

/** Tells the room of a live event that the disk stopped its recording, or lets it go on. Said twice it is told once. */
export function noteRecording(of: SessionOf, on: boolean): Promise<void> {
  return inTenant(of, async (tx) => {
    const { kind, state } = workshopSession
    const [session] = await tx
      .select({ kind, state })
      .from(workshopSession)
      .where(eq(workshopSession.id, of.sessionId))
      .for('no key update')
    if (session?.kind !== 'live' || session.state.phase !== 'live') return
    const isOn = !session.state.recordingStoppedAt
    if (isOn !== on) await appendAndSay(tx, of, [{ type: 'recording.change', payload: { on } }])
  })
}

/** Ends the recording after the commit. */
export function stopRecordingRoom(sessionId: string): void {
  afterCommit(() => void stopRecording(sessionId).catch(note(sessionId)))
}

// An event goes on without its recording; who looks after the installation hears of it.
const note = (sessionId: string) => (error: unknown) => log.error({ err: error, sessionId }, 'recording')
