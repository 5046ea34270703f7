import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { downloadText } from '#islands/stores/download.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import { type CaptionLang, MAX_CAPTION_BYTES } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type Cue, formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
import type { OfferUndo } from '../UndoBar.tsx'
import { decodeCaption } from './caption-encoding.ts'

/** Skipped captions of an uploaded file: the first ones, and how many. */
export type SkippedReport = Pick<Awaited<ReturnType<typeof api.storage.saveCaption>>, 'skipped' | 'skippedCount'>

interface CaptionTrackOptions {
  fileId: string
  lang: CaptionLang
  /** Name of the video, used for the downloaded file. */
  name: string
  /** Captions exist. */
  exists: boolean
  /** Reloads the editor's data. */
  reload: () => Promise<void>
  offer: OfferUndo
  t: Translate
}

/** Actions for the captions of one language. Removed captions can be restored for a while. */
export function useCaptionTrack({ fileId, lang, name, exists, reload, offer, t }: CaptionTrackOptions) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [report, setReport] = useState<SkippedReport | null>(null)
  const language = t(`storage:captions.lang.${lang}`)

  const attempt = async (action: () => Promise<unknown>): Promise<void> => {
    setRefusal(null)
    setReport(null)
    setBusy(true)
    try {
      await action()
      await reload()
    } catch (error) {
      setRefusal(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  const loadCues = async (): Promise<Cue[]> => (exists ? (await api.storage.getCaption({ fileId, lang })).cues : [])
  const offerUndo = (cues: Cue[], text: string) => {
    if (cues.length === 0) return
    const run = () =>
      void attempt(async () => {
        await api.storage.saveCaption({ fileId, lang, text: formatWebvtt(cues) })
        showSuccess(t('storage:captions.restored'))
      })
    offer(text, run)
  }

  return {
    refusal,
    report,
    closeReport: () => setReport(null),
    busy,
    upload: (file: File) =>
      attempt(async () => {
        if (file.size > MAX_CAPTION_BYTES) throw new CallError('too_large', 413, t('storage:captions.tooLarge'))
        const text = decodeCaption(new Uint8Array(await file.arrayBuffer()))
        if (text === null) throw new CallError('wrong_type', 415, t('storage:captions.unreadable'))
        const former = await loadCues()
        const report = await api.storage.saveCaption({ fileId, lang, text, skipInvalid: true })
        showSuccess(t('storage:captions.uploaded', { count: report.cues }))
        if (report.skippedCount > 0) setReport(report)
        offerUndo(former, t('storage:captions.replaced', { lang: language }))
      }),
    download: () =>
      attempt(async () => {
        const fileName = `${name.replace(/\.[^.]+$/, '')}.${lang}.vtt`
        downloadText(fileName, formatWebvtt(await loadCues()), 'text/vtt')
      }),
    remove: () =>
      attempt(async () => {
        const former = await loadCues()
        await api.storage.removeCaption({ fileId, lang })
        offerUndo(former, t('storage:captions.removed', { lang: language }))
      }),
    transcribe: (replace: boolean) => attempt(() => api.storage.requestCaptions({ fileId, lang, replace })),
  }
}

// Unexpected failures are reported by the API client.
function errorMessage(error: unknown): string | null {
  const failure = CallError.from(error)
  const [message] = Object.values(failure.fields).flat()
  return failure.unexpected ? null : (message ?? failure.message)
}
