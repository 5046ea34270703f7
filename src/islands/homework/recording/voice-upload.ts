import { api } from '#islands/stores/api.ts'
import { sendPart } from '#islands/stores/upload/upload-part.ts'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { voiceFileName } from './voice-recorder.ts'

const QUIET = { context: { isQuiet: true } }

/** Uploads a voice comment and returns its file id. Throws refusals. */
export async function uploadVoice(submissionId: string, voice: Blob): Promise<string> {
  const started = await api.homework.startVoiceUpload(
    {
      submissionId,
      name: voiceFileName(voice.type),
      size: voice.size,
      sample: await sampleOf(voice),
      head: await toBase64(voice.slice(0, HEAD_BYTES)),
    },
    QUIET,
  )
  const { uploadId, parts } = started
  for (let number = 1; number <= parts; number += 1) {
    const body = voice.slice((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES)
    await sendPart({ uploadId, number, body, onProgress: () => {}, onWait: () => {} })
  }
  await api.storage.finishUpload({ uploadId }, QUIET)
  return uploadId
}

async function toBase64(head: Blob): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await head.arrayBuffer())))
}
