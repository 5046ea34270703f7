import { inTenant } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { type SoundPiece, withSound } from '#lib/core/media/sound.ts'
import { type Spoken, transcribe } from '#lib/core/media/speech.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import { formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
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

/** The job behind askCaptions: keeps what is said in a film as its captions. Safe to run twice. */
export function transcribeVideo(
  data: { tenantId: string; fileId: string; lang: CaptionLang },
  run: JobRun,
): Promise<void> {
  const asked: GenerationRequest = { ...data, kind: 'captions' }
  return runGeneration(asked, run, async (machine, askedAt) => {
    const film = await inTenant(asked, (tx) => loadVideoFile(tx, asked.fileId))
    const source = { key: objectKey(asked.tenantId, asked.fileId), ...film }
    const spoken = await withSound(source, run.signal, async (pieces) => {
      const all: Spoken[] = []
      for (const [index, piece] of pieces.entries()) {
        all.push(...(await transcribePiece(piece)))
        await reportProgress(asked, Math.round(((index + 1) * 99) / pieces.length))
      }
      return all
    })
    if (spoken.length === 0) throw new CannotGenerate('nothing_said')
    await saveTranscript(asked, askedAt, formatWebvtt(splitIntoCues(spoken)))

    async function transcribePiece({ path, name, from, to }: SoundPiece): Promise<Spoken[]> {
      const cues = await transcribe(machine, { path, name, language: asked.lang, signal: run.signal })
      return cues
        .map(({ start, end, text }) => ({ start: start + from, end: Math.min(end + from, to), text }))
        .filter(({ start, end }) => end > start)
    }
  })
}

async function saveTranscript(asked: GenerationRequest, askedAt: Date, text: string): Promise<void> {
  const { tenantId, fileId, lang } = asked
  await inTenant(asked, async (tx) => {
    await loadVideoFile(tx, fileId, true)
    const before = (await loadCaptions(tx, fileId)).find((one) => one.lang === lang)
    if (before && !before.auto && before.updatedAt > askedAt) throw new CannotGenerate('edited_meanwhile')
    await finishGeneration(tx, asked)
    await tx.insert(fileState).values({ tenantId, fileId, event: 'captionsGenerated', detail: lang })
    await saveCaptionRow(tx, { tenantId, fileId, lang, text, auto: true })
  })
}
