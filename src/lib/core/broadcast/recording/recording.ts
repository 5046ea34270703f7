import { findEncoder } from '../../media/encoder.ts'
import { allow, deny, type Verdict } from '../../shared/verdict.ts'
import { hasOwnSfu, sendOutputCommand } from '../broadcast.ts'
import { deleteRecordingRequest, recordingDirectory, saveRecordingRequest } from './recording-requests.ts'

/**
 * Whether streams can be recorded here: `another_server` carries them and records in its own way, or there is `no_ffmpeg`
 * to make a film of what would be recorded.
 */
export async function canRecord(): Promise<Verdict> {
  if (!hasOwnSfu()) return deny('another_server')
  return (await findEncoder()) ? allow('ours') : deny('no_ffmpeg')
}

/**
 * Records every stream of a room, those to come as well, into a directory of this machine until stopRecording, whoever
 * dies meanwhile. May be repeated. Denied as canRecord says; then nothing is recorded.
 */
export async function startRecording(room: string, directory = recordingDirectory(room)): Promise<Verdict> {
  const verdict = await canRecord()
  if (!verdict.allow) return verdict
  await saveRecordingRequest(room, directory)
  await sendOutputCommand({ op: 'record', room, stream: null, directory, since: Date.now() })
  return verdict
}

/** Ends the recording; when it returns all is on the disk. Nothing happens when there is none. */
export async function stopRecording(room: string): Promise<void> {
  await deleteRecordingRequest(room)
  if (hasOwnSfu()) await sendOutputCommand({ op: 'recordEnd', room, stream: null })
}
