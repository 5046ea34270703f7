import { type RefObject, useEffect } from 'react'
import type { ScriptProps } from './script.ts'
import { $positionMs } from './script-store.ts'

/** Loads the video into an element and publishes its position, also after seeking. */
export function useScriptVideo(
  target: RefObject<HTMLVideoElement | null>,
  { video: source, videoOffsetMs }: ScriptProps,
): void {
  useEffect(() => {
    const video = target.current
    if (!video || !source) return
    let isClosed = false
    let close = () => {}
    void loadVideo(video, source).then((end) => {
      close = end
      if (isClosed) end()
    })
    let frame = 0
    const updatePosition = () => $positionMs.set(Math.max(0, Math.round(video.currentTime * 1000 - videoOffsetMs)))
    const followPlayback = () => {
      updatePosition()
      frame = video.paused ? 0 : requestAnimationFrame(followPlayback)
    }
    video.addEventListener('play', followPlayback)
    video.addEventListener('seeked', updatePosition)
    const seekToPosition = () => {
      video.currentTime = (videoOffsetMs + $positionMs.get()) / 1000
    }
    video.addEventListener('loadedmetadata', seekToPosition, { once: true })
    return () => {
      isClosed = true
      cancelAnimationFrame(frame)
      video.removeEventListener('play', followPlayback)
      video.removeEventListener('seeked', updatePosition)
      video.removeEventListener('loadedmetadata', seekToPosition)
      close()
    }
  }, [target, source, videoOffsetMs])
}

async function loadVideo(video: HTMLVideoElement, source: NonNullable<ScriptProps['video']>): Promise<() => void> {
  const progressive = source.sources.find(({ type }) => video.canPlayType(type) !== '')
  if (progressive || !source.hls) {
    if (progressive) video.src = progressive.src
    return () => video.removeAttribute('src')
  }
  const { default: Player } = await import('hls.js')
  if (!Player.isSupported()) {
    video.src = source.hls
    return () => video.removeAttribute('src')
  }
  const hls = new Player({ enableWorker: false })
  hls.loadSource(source.hls)
  hls.attachMedia(video)
  return () => hls.destroy()
}
