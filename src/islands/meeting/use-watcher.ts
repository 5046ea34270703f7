import { type RefObject, useEffect, useState } from 'react'
import type { Watcher } from '#islands/broadcast/watcher.ts'
import type { OnAir } from '#lib/workshop/event-schema.ts'
import { playAt } from './room.ts'
import { saveWith } from './stage-saving.ts'
import { hear } from './stage-sound.ts'

/** Plays a stream in a video element, by WebRTC or HLS as the network gives, until it is no longer there. */
export function useWatcher(target: RefObject<HTMLVideoElement | null>, { stream }: OnAir) {
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
      ends.push(() => begun.watcher.stop(), shows, hear(begun.video, begun.watcher), saveWith(begun.watcher))
      setWatcher(begun.watcher)
    })
    return () => {
      here = false
      setWatcher(null)
      for (const end of ends) end()
    }
  }, [target, stream])
  return watcher
}

async function start(target: RefObject<HTMLVideoElement | null>, stream: string) {
  const { createWatcher } = await import('#islands/broadcast/watcher.ts')
  const { current: video } = target
  return video && { video, watcher: createWatcher({ video, ...playAt(stream) }) }
}
