import { voiceFileName } from '#islands/broadcast/voice-recorder.ts'
import { api } from '#islands/stores/api.ts'
import { uploadRecording } from '#islands/stores/upload/upload-recording.ts'

const QUIET = { context: { isQuiet: true } }

/** Uploads a voice comment and returns its file id. Throws refusals. */
export const uploadVoice = (submissionId: string, voice: Blob): Promise<string> =>
  uploadRecording(voice, (facts) =>
    api.homework.startVoiceUpload({ submissionId, name: voiceFileName(voice.type), ...facts }, QUIET),
  )
