import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { api } from '../api.ts'
import { sendPart } from './upload-part.ts'

interface RecordingFacts {
  size: number
  /** See `sampleOf`. */
  sample: string
  /** The first bytes, in Base64. */
  head: string
}

/** Uploads a recording, which is small, and returns its file id. Throws refusals. */
export async function uploadRecording(
  recording: Blob,
  startUpload: (facts: RecordingFacts) => Promise<{ uploadId: string; parts: number }>,
): Promise<string> {
  const { uploadId, parts } = await startUpload({
    size: recording.size,
    sample: await sampleOf(recording),
    head: await toBase64(recording.slice(0, HEAD_BYTES)),
  })
  for (let number = 1; number <= parts; number += 1) {
    const body = recording.slice((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES)
    await sendPart({ uploadId, number, body, onProgress: () => {}, onWait: () => {} })
  }
  await api.storage.finishUpload({ uploadId }, { context: { isQuiet: true } })
  return uploadId
}

async function toBase64(head: Blob): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await head.arrayBuffer())))
}
