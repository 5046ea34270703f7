import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'

type Playback = Awaited<ReturnType<typeof api.storage.getPlayback>>

/** Undefined while loading; null when the file no longer exists. */
export function usePlayback(fileId: string): Playback | null | undefined {
  const [playback, setPlayback] = useState<Playback | null>()
  useEffect(() => {
    let isUnmounted = false
    const loadPlayback = () =>
      void api.storage.getPlayback({ fileId }, { context: { isQuiet: true } }).then(
        (playback) => !isUnmounted && setPlayback(playback),
        (error) => !isUnmounted && setPlayback(error?.status === 404 ? null : undefined),
      )
    loadPlayback()
    const unsubscribe = subscribe<{ fileId: string | null }>(
      'storage',
      (event) => event.fileId === fileId && loadPlayback(),
      loadPlayback,
    )
    return () => {
      isUnmounted = true
      unsubscribe()
    }
  }, [fileId])
  return playback
}
