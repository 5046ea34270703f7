import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { retryUntilAccepted } from '#islands/stores/retry.ts'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { sendPart } from '#islands/stores/upload/upload-part.ts'
import type { SubmissionProps } from '../submission/submission-props.ts'
import { forgetRecording } from './answer-recording.ts'
import type { PartUploaderCalls, UploadStart } from './part-uploader.ts'

type AttemptRef = Pick<SubmissionProps, 'taskId' | 'attempt'>

const quiet = { context: { isQuiet: true } }

/** The API calls that upload a growing recording. */
export function createUploadCalls({ taskId, attempt }: AttemptRef): PartUploaderCalls {
  return {
    startUpload: (beginning, retry) =>
      retryUntilAccepted(() => api.homework.startUpload({ taskId, attempt, ...beginning }, quiet), retry),
    extendUpload: (uploadId, size, retry) =>
      retryUntilAccepted(() => api.homework.extendUpload({ taskId, attempt, uploadId, size }, quiet), retry),
    sendPart: (part, retry) => sendPart({ ...part, ...retry, onProgress: () => {} }),
  }
}

export const removeRecordingUpload = ({ taskId, attempt }: AttemptRef, fileId: string): Promise<unknown> =>
  api.homework.removeFile({ taskId, attempt, fileId }, quiet)

/** Starts the upload of a finished recording: continues a started one, or begins again when it no longer exists. */
export async function startRecordedUpload(place: AttemptRef, uploadId: string | null, about: UploadStart) {
  if (uploadId && (await canResume(place, uploadId, about.size))) return { uploadId }
  return api.homework.startUpload({ ...place, ...about }, quiet)
}

async function canResume({ taskId, attempt }: AttemptRef, uploadId: string, size: number): Promise<boolean> {
  try {
    await api.homework.extendUpload({ taskId, attempt, uploadId, size }, quiet)
    return true
  } catch (error) {
    const { code } = CallError.from(error)
    if (code === 'invalid') await removeRecordingUpload({ taskId, attempt }, uploadId)
    else if (code !== 'gone' && code !== 'not_found') throw error
    return false
  }
}

/** Keeps a recording on this device until its upload has finished or was removed. */
export function keepUntilUploaded(id: string, recordingId: string): void {
  let last = $uploads.get().find((upload) => upload.id === id)?.step
  const unfollow = $uploads.listen((uploads) => {
    const step = uploads.find((upload) => upload.id === id)?.step
    const ended = step === 'done' || step === 'processing'
    // A failed upload that was dismissed is offered again.
    const givenUp = step === undefined && last !== 'failed'
    last = step ?? last
    if (step !== undefined && !ended) return
    unfollow()
    if (ended || givenUp) void forgetRecording(recordingId)
  })
}
