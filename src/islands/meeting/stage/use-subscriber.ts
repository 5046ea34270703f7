import { type RefObject, useEffect, useState } from 'react'
import type { StreamPlayer } from '#islands/broadcast/stream-player.ts'
import { getSubscriberOptions } from '../devices/room-media.ts'
import { addSound } from '../devices/stage-sound.ts'
import { addDataSavingSubscriber } from './data-saving.ts'

/** Plays a stream in a video element by WebRTC or HLS, depending on the network, while the component is mounted. */
export function useSubscriber(target: RefObject<HTMLVideoElement | null>, stream: string, isSilent = false) {
  const [subscriber, setSubscriber] = useState<StreamPlayer | null>(null)
  useEffect(() => {
    let isMounted = true
    const cleanups: (() => void)[] = []
    void startSubscriber(target, stream).then((started) => {
      if (!started) return
      if (!isMounted) return started.player.stop()
      const stopShowingTransport = started.player.$mode.subscribe((mode) => {
        started.video.dataset.mode = mode
      })
      cleanups.push(() => started.player.stop(), stopShowingTransport, addDataSavingSubscriber(started.player))
      if (isSilent) started.video.muted = true
      else cleanups.push(addSound(started.video, started.player))
      setSubscriber(started.player)
    })
    return () => {
      isMounted = false
      setSubscriber(null)
      for (const end of cleanups) end()
    }
  }, [target, stream, isSilent])
  return subscriber
}

async function startSubscriber(target: RefObject<HTMLVideoElement | null>, stream: string) {
  const { createStreamPlayer } = await import('#islands/broadcast/stream-player.ts')
  const { current: video } = target
  return video && { video, player: createStreamPlayer({ video, ...getSubscriberOptions(stream) }) }
}
