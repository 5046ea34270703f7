import { type RefObject, useEffect, useState } from 'react'
import type { Watcher } from '#islands/broadcast/watcher.ts'
import { playAt } from '../devices/room-media.ts'
import { hear } from '../devices/stage-sound.ts'
import { saveWith } from './stage-saving.ts'

/**
 * Plays a stream in a video element, by WebRTC or HLS as the network gives, until it is no longer there; `silent` without its
 * sound.
 */
export function useWatcher(target: RefObject<HTMLVideoElement | null>, stream: string, silent = false) {
  const [watcher, setWatcher] = useState<Watcher | null>(null)
  useEffect(() => {
    let here = true
    const ends: (() => void)[] = []
    void start(target, stream).then((begun) => {
      if (!begun) return
      if (!here) return begun.watcher.stop()
      const shows = begun.watcher.$how.subscribe((how) => {
        begun.video.dataset.how = how
      })
      ends.push(() => begun.watcher.stop(), shows, saveWith(begun.watcher))
      if (silent) begun.video.muted = true
      else ends.push(hear(begun.video, begun.watcher))
      setWatcher(begun.watcher)
    })
    return () => {
      here = false
      setWatcher(null)
      for (const end of ends) end()
    }
  }, [target, stream, silent])
  return watcher
}

async function start(target: RefObject<HTMLVideoElement | null>, stream: string) {
  const { createWatcher } = await import('#islands/broadcast/watcher.ts')
  const { current: video } = target
  return video && { video, watcher: createWatcher({ video, ...playAt(stream) }) }
}
