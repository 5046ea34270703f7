import { findEncoder } from '../../media/encoder.ts'
import { allow, deny, type Verdict } from '../../shared/verdict.ts'
import { hasOwnSfu, sendOutputCommand } from '../broadcast.ts'
import { deleteRecordingRequest, recordingDirectory, saveRecordingRequest } from './recording-requests.ts'

/**
 * Whether streams can be recorded here. Denied with `another_server` when another media server forwards them, and with
 * `no_ffmpeg` when no video could be made of the recording.
 */
export async function canRecord(): Promise<Verdict> {
  if (!hasOwnSfu()) return deny('another_server')
  return (await findEncoder()) ? allow('ours') : deny('no_ffmpeg')
}

/**
 * Records all current and future streams of a room into a local directory until stopRecording, across restarts of the
 * processes. May be repeated. Denied as by canRecord; then nothing is recorded.
 */
export async function startRecording(room: string, directory = recordingDirectory(room)): Promise<Verdict> {
  const verdict = await canRecord()
  if (!verdict.allow) return verdict
  await saveRecordingRequest(room, directory)
  await sendOutputCommand({ op: 'record', room, stream: null, directory, since: Date.now() })
  return verdict
}

/** Stops the recording of a room, if any; resolves when everything is on disk. */
export async function stopRecording(room: string): Promise<void> {
  await deleteRecordingRequest(room)
  if (hasOwnSfu()) await sendOutputCommand({ op: 'recordEnd', room, stream: null })
}
