import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { compose } from '#lib/core/media/speech.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import { plainText } from '#lib/core/shared/text/cue-text.ts'
import { publishStorageEvent } from '../live.ts'
import { FileName, SaveTexts } from '../schema.ts'
import { caption, fileState, video } from '../table.ts'
import { loadVideoFile } from '../video/load-video.ts'
import { CannotGenerate, finishGeneration, type GenerationRequest, runGeneration } from './generation.ts'
import { readCaptions } from './webvtt.ts'

/** Letters of what was said that are shown to the service: of the beginning, the middle and the end. */
const EXCERPT_CHARS = [6000, 3000, 3000] as const

const SuggestedTexts = z.object({
  title: FileName,
  description: z
    .string()
    .transform((text) => text.replace(/(?![\n])\p{Cc}/gu, '').slice(0, 2000))
    .pipe(SaveTexts.shape.description),
})

/** The job behind askTexts: keeps a name and a description as suggestions. Safe to run twice. */
export function suggestTexts(
  data: { tenantId: string; fileId: string; lang: CaptionLang },
  run: JobRun,
): Promise<void> {
  const asked: GenerationRequest = { ...data, kind: 'texts' }
  return runGeneration(asked, run, async (machine) => {
    const { name, words } = await loadTranscript(asked)
    const task = getTranslator(asked.lang)('storage:suggest.task')
    const material = JSON.stringify({ file: name, transcript: excerpt(words) })
    const { title, description } = await compose(machine, { task, material, shape: SuggestedTexts, signal: run.signal })
    await inTenant(asked, async (tx) => {
      const { fileId, tenantId } = asked
      await tx
        .update(video)
        .set({ suggestedName: title, suggestedDescription: description })
        .where(eq(video.fileId, fileId))
      await finishGeneration(tx, asked)
      await tx.insert(fileState).values({ tenantId, fileId, event: 'titleOrDescriptionGenerated' })
      await publishStorageEvent({ fileId, event: 'titleOrDescriptionGenerated' })
    })
  })
}

async function loadTranscript(asked: GenerationRequest): Promise<{ name: string; words: string }> {
  const { film, rows } = await inTenant(asked, async (tx) => ({
    film: await loadVideoFile(tx, asked.fileId),
    rows: await tx
      .select({ lang: caption.lang, text: caption.text })
      .from(caption)
      .where(and(eq(caption.fileId, asked.fileId))),
  }))
  const best = rows.find(({ lang }) => lang === asked.lang) ?? rows[0]
  if (!best) throw new CannotGenerate('no_captions')
  return {
    name: film.name,
    words: readCaptions(best.text)
      .map(({ text }) => plainText(text))
      .join(' '),
  }
}

function excerpt(words: string): string {
  const [first, middle, last] = EXCERPT_CHARS
  if (words.length <= first + middle + last) return words
  const half = Math.floor((words.length - middle) / 2)
  return [words.slice(0, first), words.slice(half, half + middle), words.slice(-last)].join(' … ')
}
