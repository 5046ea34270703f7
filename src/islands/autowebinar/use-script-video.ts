import { type RefObject, useEffect } from 'react'
import type { ScriptProps } from './script.ts'
import { $positionMs } from './script-store.ts'

/** Loads the video into an element and publishes its position, also after seeking. */
export function useScriptVideo(target: RefObject<HTMLVideoElement | null>, { film, filmOffsetMs }: ScriptProps): void {
  useEffect(() => {
    const video = target.current
    if (!video || !film) return
    let isClosed = false
    let close = () => {}
    void loadVideo(video, film).then((end) => {
      close = end
      if (isClosed) end()
    })
    let frame = 0
    const updatePosition = () => $positionMs.set(Math.max(0, Math.round(video.currentTime * 1000 - filmOffsetMs)))
    const followPlayback = () => {
      updatePosition()
      frame = video.paused ? 0 : requestAnimationFrame(followPlayback)
    }
    video.addEventListener('play', followPlayback)
    video.addEventListener('seeked', updatePosition)
    const seekToPosition = () => {
      video.currentTime = (filmOffsetMs + $positionMs.get()) / 1000
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
  }, [target, film, filmOffsetMs])
}

async function loadVideo(video: HTMLVideoElement, film: NonNullable<ScriptProps['film']>): Promise<() => void> {
  const progressive = film.sources.find(({ type }) => video.canPlayType(type) !== '')
  if (progressive || !film.hls) {
    if (progressive) video.src = progressive.src
    return () => video.removeAttribute('src')
  }
  const { default: Player } = await import('hls.js')
  if (!Player.isSupported()) {
    video.src = film.hls
    return () => video.removeAttribute('src')
  }
  const hls = new Player({ enableWorker: false })
  hls.loadSource(film.hls)
  hls.attachMedia(video)
  return () => hls.destroy()
}
