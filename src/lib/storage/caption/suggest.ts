import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { generateObject } from '#lib/core/media/transcription.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import { plainCueText } from '#lib/core/shared/text/cue-text.ts'
import { publishStorageEvent } from '../live.ts'
import { FileName, SaveTexts } from '../schema.ts'
import { caption, fileState, video } from '../table.ts'
import { loadVideoFile } from '../video/load-video.ts'
import { CannotGenerate, finishGeneration, type GenerationRequest, runGeneration } from './generation.ts'
import { readCaptions } from './webvtt.ts'

/** Characters of the transcript that are sent to the service: of the beginning, the middle and the end. */
const EXCERPT_CHARS = [6000, 3000, 3000] as const

const SuggestedTexts = z.object({
  title: FileName,
  description: z
    .string()
    .transform((text) => text.replace(/(?![\n])\p{Cc}/gu, '').slice(0, 2000))
    .pipe(SaveTexts.shape.description),
})

/** Job of requestTexts: stores a name and a description as suggestions. Idempotent. */
export function suggestTexts(
  data: { tenantId: string; fileId: string; lang: CaptionLang },
  run: JobRun,
): Promise<void> {
  const request: GenerationRequest = { ...data, kind: 'texts' }
  return runGeneration(request, run, async (machine) => {
    const { name, words } = await loadTranscript(request)
    const task = getTranslator(request.lang)('storage:suggest.task')
    const material = JSON.stringify({ file: name, transcript: excerpt(words) })
    const { title, description } = await generateObject(machine, {
      task,
      material,
      schema: SuggestedTexts,
      signal: run.signal,
    })
    await inTenant(request, async (tx) => {
      const { fileId, tenantId } = request
      await tx
        .update(video)
        .set({ suggestedName: title, suggestedDescription: description })
        .where(eq(video.fileId, fileId))
      await finishGeneration(tx, request)
      await tx.insert(fileState).values({ tenantId, fileId, event: 'titleOrDescriptionGenerated' })
      await publishStorageEvent({ fileId, event: 'titleOrDescriptionGenerated' })
    })
  })
}

async function loadTranscript(request: GenerationRequest): Promise<{ name: string; words: string }> {
  const { videoFile, rows } = await inTenant(request, async (tx) => ({
    videoFile: await loadVideoFile(tx, request.fileId),
    rows: await tx
      .select({ lang: caption.lang, text: caption.text })
      .from(caption)
      .where(and(eq(caption.fileId, request.fileId))),
  }))
  const best = rows.find(({ lang }) => lang === request.lang) ?? rows[0]
  if (!best) throw new CannotGenerate('no_captions')
  return {
    name: videoFile.name,
    words: readCaptions(best.text)
      .map(({ text }) => plainCueText(text))
      .join(' '),
  }
}

function excerpt(words: string): string {
  const [first, middle, last] = EXCERPT_CHARS
  if (words.length <= first + middle + last) return words
  const half = Math.floor((words.length - middle) / 2)
  return [words.slice(0, first), words.slice(half, half + middle), words.slice(-last)].join(' … ')
}
