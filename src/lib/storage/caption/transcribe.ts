import { inTenant } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { type SoundPiece, withSound } from '#lib/core/media/sound.ts'
import { type Spoken, transcribe } from '#lib/core/media/speech.ts'
import type { CaptionLang } from '#lib/core/shared/storing.ts'
import { formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
import { keyOf } from '../object-key.ts'
import { fileState } from '../table.ts'
import { loadFilm } from '../video/load-video.ts'
import { captionsOf, keepCaption } from './caption.ts'
import { type Asked, CannotGenerate, finish, report, workOn } from './generation.ts'
import { readableCues } from './readable-cues.ts'

/** The job behind askCaptions: keeps what is said in a film as its captions. Safe to run twice. */
export function transcribeFilm(
  data: { tenantId: string; fileId: string; lang: CaptionLang },
  run: JobRun,
): Promise<void> {
  const asked: Asked = { ...data, kind: 'captions' }
  return workOn(asked, run, async (machine, askedAt) => {
    const film = await inTenant(asked, (tx) => loadFilm(tx, asked.fileId))
    const source = { key: keyOf(asked.tenantId, asked.fileId), ...film }
    const spoken = await withSound(source, run.signal, async (pieces) => {
      const all: Spoken[] = []
      for (const [index, piece] of pieces.entries()) {
        all.push(...(await hear(piece)))
        await report(asked, Math.round(((index + 1) * 99) / pieces.length))
      }
      return all
    })
    if (spoken.length === 0) throw new CannotGenerate('nothing_said')
    await keep(asked, askedAt, formatWebvtt(readableCues(spoken)))

    async function hear({ path, name, from, to }: SoundPiece): Promise<Spoken[]> {
      const heard = await transcribe(machine, { path, name, language: asked.lang, signal: run.signal })
      return heard
        .map(({ start, end, text }) => ({ start: start + from, end: Math.min(end + from, to), text }))
        .filter(({ start, end }) => end > start)
    }
  })
}

async function keep(asked: Asked, askedAt: Date, text: string): Promise<void> {
  const { tenantId, fileId, lang } = asked
  await inTenant(asked, async (tx) => {
    await loadFilm(tx, fileId, true)
    const before = (await captionsOf(tx, fileId)).find((one) => one.lang === lang)
    if (before && !before.auto && before.updatedAt > askedAt) throw new CannotGenerate('edited_meanwhile')
    await finish(tx, asked)
    await tx.insert(fileState).values({ tenantId, fileId, event: 'captionsGenerated', detail: lang })
    await keepCaption(tx, { tenantId, fileId, lang, text, auto: true })
  })
}
