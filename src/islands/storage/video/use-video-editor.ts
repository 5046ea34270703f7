import { useCallback, useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'
import { toEditableCues } from '../caption/cue-list.ts'

export type VideoEditorView = Awaited<ReturnType<typeof api.storage.getVideoEditor>>
export type PlaybackView = Awaited<ReturnType<typeof api.storage.getPlayback>>
export type CaptionRow = VideoEditorView['captions'][number]
export type TextGeneration = VideoEditorView['generations'][number]
export interface VideoTexts {
  name: string
  description: string
}
export type EditedChapter = VideoEditorView['chapters'][number]

interface LoadedEditor {
  video: VideoEditorView
  view: PlaybackView
}

const QUIET = { context: { isQuiet: true } }
// Encoding sends frequent progress events.
const RELOAD_DELAY_MS = 300

/** Data of the video editor, reloaded on events of the file. */
export function useVideoEditor(fileId: string) {
  const [loaded, setLoaded] = useState<LoadedEditor | null>(null)
  const [failure, setFailure] = useState<CallError | null>(null)
  const loadVideo = useCallback(async () => {
    try {
      const requests = [
        api.storage.getVideoEditor({ fileId }, QUIET),
        api.storage.getPlayback({ fileId }, QUIET),
      ] as const
      const [video, view] = await Promise.all(requests)
      setLoaded({ video, view })
      setFailure(null)
    } catch (error) {
      setFailure(CallError.from(error))
    }
  }, [fileId])
  useEffect(() => {
    void loadVideo()
    let later: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      clearTimeout(later)
      later = setTimeout(() => void loadVideo(), RELOAD_DELAY_MS)
    }
    const stop = subscribe<{ fileId: string | null }>('storage', (event) => event.fileId === fileId && again(), again)
    return () => {
      clearTimeout(later)
      stop()
    }
  }, [fileId, loadVideo])
  return { loaded, failure, loadVideo }
}

export interface LoadedCaption {
  version: number
  /** Time of the last change; null without captions. */
  updatedAt: string | null
  cues: Cue[]
}

/** Captions of one language when the editor is opened; `exist`: whether there are any. */
export function useCaptions(fileId: string, lang: CaptionLang, exist: boolean) {
  const [loaded, setLoaded] = useState<LoadedCaption | null>(exist ? null : NO_CAPTION)
  const [failed, setFailed] = useState(false)
  const loadCaption = useCallback(async () => {
    setFailed(false)
    try {
      setLoaded(await readCaption(fileId, lang))
    } catch {
      setFailed(true)
    }
  }, [fileId, lang])
  // Loaded once: the editor merges later changes itself.
  const missing = loaded === null
  useEffect(() => {
    if (missing) void loadCaption()
  }, [missing, loadCaption])
  return { loaded, failed, loadCaption }
}

/** Loads the captions from the server. */
export async function readCaption(fileId: string, lang: CaptionLang): Promise<LoadedCaption> {
  try {
    const { version, updatedAt, cues } = await api.storage.getCaption({ fileId, lang }, QUIET)
    return { version, updatedAt, cues: toEditableCues(cues) }
  } catch (error) {
    if (CallError.from(error).status === 404) return NO_CAPTION
    throw error
  }
}

const NO_CAPTION: LoadedCaption = { version: 0, updatedAt: null, cues: [] }
