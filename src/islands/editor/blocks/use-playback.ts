import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'

type Playback = Awaited<ReturnType<typeof api.storage.getPlayback>>

/** Undefined while it is asked for; null when the storage has no such file any more. */
export function usePlayback(fileId: string): Playback | null | undefined {
  const [found, setFound] = useState<Playback | null>()
  useEffect(() => {
    let gone = false
    const look = () =>
      void api.storage.getPlayback({ fileId }, { context: { quiet: true } }).then(
        (playback) => !gone && setFound(playback),
        (error) => !gone && setFound(error?.status === 404 ? null : undefined),
      )
    look()
    const end = subscribe<{ fileId: string | null }>('storage', (told) => told.fileId === fileId && look(), look)
    return () => {
      gone = true
      end()
    }
  }, [fileId])
  return found
}
