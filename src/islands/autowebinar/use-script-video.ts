import { type RefObject, useEffect } from 'react'
import type { ScriptProps } from './script.ts'
import { $at } from './script-store.ts'

/** Loads the film into an element and tells where it stands; `seek` on the element moves both. */
export function useFilm(target: RefObject<HTMLVideoElement | null>, { film, filmOffsetMs }: ScriptProps): void {
  useEffect(() => {
    const video = target.current
    if (!video || !film) return
    let gone = false
    let close = () => {}
    void load(video, film).then((end) => {
      close = end
      if (gone) end()
    })
    let frame = 0
    const tell = () => $at.set(Math.max(0, Math.round(video.currentTime * 1000 - filmOffsetMs)))
    const follow = () => {
      tell()
      frame = video.paused ? 0 : requestAnimationFrame(follow)
    }
    video.addEventListener('play', follow)
    video.addEventListener('seeked', tell)
    const begin = () => {
      video.currentTime = (filmOffsetMs + $at.get()) / 1000
    }
    video.addEventListener('loadedmetadata', begin, { once: true })
    return () => {
      gone = true
      cancelAnimationFrame(frame)
      video.removeEventListener('play', follow)
      video.removeEventListener('seeked', tell)
      video.removeEventListener('loadedmetadata', begin)
      close()
    }
  }, [target, film, filmOffsetMs])
}

async function load(video: HTMLVideoElement, film: NonNullable<ScriptProps['film']>): Promise<() => void> {
  const plain = film.sources.find(({ type }) => video.canPlayType(type) !== '')
  if (plain || !film.hls) {
    if (plain) video.src = plain.src
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
