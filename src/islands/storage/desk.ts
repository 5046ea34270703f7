import { useCallback, useEffect, useRef, useState } from 'react'
import { api, CallError } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'
import type { Cue } from '#lib/core/shared/webvtt.ts'
import type { CaptionLang } from '#lib/storage/schema.ts'
import { typedCues } from './cue-list.ts'

export type DeskView = Awaited<ReturnType<typeof api.storage.getDesk>>
export type Playback = Awaited<ReturnType<typeof api.storage.getPlayback>>
export type CaptionRow = DeskView['captions'][number]
export type Generation = DeskView['generations'][number]
export interface Texts {
  name: string
  description: string
}
export type ChapterMark = DeskView['chapters'][number]

interface Loaded {
  desk: DeskView
  view: Playback
}

const QUIET = { context: { quiet: true } }
// Encoding says its percents one after another.
const CALM = 300

/** All that the desk shows, asked for again when something happens to the file. */
export function useDesk(fileId: string) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [failure, setFailure] = useState<CallError | null>(null)
  const load = useCallback(async () => {
    try {
      const asked = [api.storage.getDesk({ fileId }, QUIET), api.storage.getPlayback({ fileId }, QUIET)] as const
      const [desk, view] = await Promise.all(asked)
      setLoaded({ desk, view })
      setFailure(null)
    } catch (error) {
      setFailure(CallError.from(error))
    }
  }, [fileId])
  useEffect(() => {
    void load()
    let later: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      clearTimeout(later)
      later = setTimeout(() => void load(), CALM)
    }
    const stop = subscribe<{ fileId: string | null }>('storage', (said) => said.fileId === fileId && again(), again)
    return () => {
      clearTimeout(later)
      stop()
    }
  }, [fileId, load])
  return { loaded, failure, load }
}

/** Captions of one language, loaded anew when somebody else has changed them. */
export function useCaption(fileId: string, lang: CaptionLang, updatedAt: string | null) {
  const [loaded, setLoaded] = useState<{ version: number; cues: Cue[] } | null>(null)
  const [failed, setFailed] = useState(false)
  // The version that the editor itself has saved last: it needs no loading.
  const known = useRef(-1)
  const load = useCallback(async () => {
    setFailed(false)
    try {
      const { version, cues } = await captionOf(fileId, lang, updatedAt)
      if (version === known.current) return
      known.current = version
      setLoaded({ version, cues })
    } catch {
      setFailed(true)
    }
  }, [fileId, lang, updatedAt])
  useEffect(() => void load(), [load])
  const saved = useCallback((version: number) => {
    known.current = version
  }, [])
  return { loaded, failed, load, saved }
}

async function captionOf(fileId: string, lang: CaptionLang, updatedAt: string | null) {
  if (updatedAt === null) return { version: 0, cues: [] }
  const { version, cues } = await api.storage.getCaption({ fileId, lang }, QUIET)
  return { version, cues: typedCues(cues) }
}
