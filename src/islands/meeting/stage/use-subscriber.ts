import { type RefObject, useEffect, useState } from 'react'
import type { StreamPlayer } from '#islands/broadcast/stream-player.ts'
import { getSubscriberOptions } from '../devices/room-media.ts'
import { addSound } from '../devices/stage-sound.ts'
import { addDataSavingSubscriber } from './data-saving.ts'

/** Plays a stream in a video element by WebRTC or HLS, depending on the network, while the component is mounted. */
export function useSubscriber(target: RefObject<HTMLVideoElement | null>, stream: string, isSilent = false) {
  const [subscriber, setWatcher] = useState<StreamPlayer | null>(null)
  useEffect(() => {
    let isMounted = true
    const cleanups: (() => void)[] = []
    void startSubscriber(target, stream).then((started) => {
      if (!started) return
      if (!isMounted) return started.watcher.stop()
      const stopShowingTransport = started.watcher.$mode.subscribe((how) => {
        started.video.dataset.how = how
      })
      cleanups.push(() => started.watcher.stop(), stopShowingTransport, addDataSavingSubscriber(started.watcher))
      if (isSilent) started.video.muted = true
      else cleanups.push(addSound(started.video, started.watcher))
      setWatcher(started.watcher)
    })
    return () => {
      isMounted = false
      setWatcher(null)
      for (const end of cleanups) end()
    }
  }, [target, stream, isSilent])
  return subscriber
}

async function startSubscriber(target: RefObject<HTMLVideoElement | null>, stream: string) {
  const { createStreamPlayer: createWatcher } = await import('#islands/broadcast/stream-player.ts')
  const { current: video } = target
  return video && { video, watcher: createWatcher({ video, ...getSubscriberOptions(stream) }) }
}
