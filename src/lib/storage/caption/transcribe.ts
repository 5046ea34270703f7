import { inTenant } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { type AudioChunk, withAudioChunks } from '#lib/core/media/audio-chunks.ts'
import { type TranscriptSegment, transcribe } from '#lib/core/media/transcription.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import { formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
import { notify } from '#lib/notification/notify.ts'
import { objectKey } from '../object-key.ts'
import { fileState } from '../table.ts'
import { loadVideoFile } from '../video/load-video.ts'
import { loadCaptions, saveCaptionRow } from './caption.ts'
import {
  CannotGenerate,
  finishGeneration,
  type GenerationRequest,
  reportProgress,
  runGeneration,
} from './generation.ts'
import { splitIntoCues } from './readable-cues.ts'

/** Job of requestCaptions: stores the transcript of a video as its captions. Idempotent. */
export function transcribeVideo(
  data: { tenantId: string; fileId: string; lang: CaptionLang },
  run: JobRun,
): Promise<void> {
  const request: GenerationRequest = { ...data, kind: 'captions' }
  return runGeneration(request, run, async (machine, requestedAt) => {
    const videoFile = await inTenant(request, (tx) => loadVideoFile(tx, request.fileId))
    const source = { key: objectKey(request.tenantId, request.fileId), ...videoFile }
    const spoken = await withAudioChunks(source, run.signal, async (chunks) => {
      const all: TranscriptSegment[] = []
      for (const [index, chunk] of chunks.entries()) {
        all.push(...(await transcribeChunk(chunk)))
        await reportProgress(request, Math.round(((index + 1) * 99) / chunks.length))
      }
      return all
    })
    if (spoken.length === 0) throw new CannotGenerate('nothing_said')
    await saveTranscript(request, requestedAt, formatWebvtt(splitIntoCues(spoken)))

    async function transcribeChunk({
      path,
      name,
      startSeconds: from,
      endSeconds: to,
    }: AudioChunk): Promise<TranscriptSegment[]> {
      const cues = await transcribe(machine, { path, name, language: request.lang, signal: run.signal })
      return cues
        .map(({ start, end, text }) => ({ start: start + from, end: Math.min(end + from, to), text }))
        .filter(({ start, end }) => end > start)
    }
  })
}

async function saveTranscript(request: GenerationRequest, requestedAt: Date, text: string): Promise<void> {
  const { tenantId, fileId, lang } = request
  await inTenant(request, async (tx) => {
    const video = await loadVideoFile(tx, fileId, true)
    const before = (await loadCaptions(tx, fileId)).find((captions) => captions.lang === lang)
    if (before && !before.auto && before.updatedAt > requestedAt) throw new CannotGenerate('edited_meanwhile')
    await finishGeneration(tx, request)
    await tx.insert(fileState).values({ tenantId, fileId, event: 'captionsGenerated', detail: lang })
    await saveCaptionRow(tx, { tenantId, fileId, lang, text, auto: true })
    await notify(tx, {
      kind: 'captions_finished',
      memberIds: [video.ownerId],
      key: `captions/${fileId}/${lang}/${requestedAt.toISOString()}`,
      data: { subject: video.name },
      link: '/storage',
    })
  })
}
