import type Hls from 'hls.js'
import type { AutoVideoSource } from '#lib/autowebinar/auto-view-schema.ts'

export interface VideoSource {
  /** Loads a video at a position in seconds. */
  open(film: AutoVideoSource, startSeconds: number): Promise<void>
  close(): void
}

const HLS_TYPE = 'application/vnd.apple.mpegurl'

/**
 * Loads videos into an element by hls.js, the browser's own HLS, or a progressive file.
 * @param onFatalError called when playback cannot continue
 */
export function createVideoSource(video: HTMLVideoElement, onFatalError: () => void): VideoSource {
  let hls: Hls | null = null
  let generation = 0
  const close = () => {
    generation++
    hls?.destroy()
    hls = null
    video.removeAttribute('src')
  }
  return {
    close,
    open: async (film, startSeconds) => {
      close()
      const ownGeneration = generation
      // hls.js is preferred: it behaves the same in all browsers.
      if (film.hls) {
        const { default: Player } = await import('hls.js')
        if (ownGeneration !== generation) return
        if (Player.isSupported()) {
          // The Content-Security-Policy does not allow workers from blob URLs.
          hls = new Player({
            startPosition: startSeconds,
            enableWorker: false,
            capLevelToPlayerSize: true,
            backBufferLength: 30,
          })
          hls.on(Player.Events.ERROR, (_, { fatal }) => fatal && onFatalError())
          hls.attachMedia(video)
          hls.loadSource(film.hls)
          return
        }
      }
      const nativeHls = film.hls && video.canPlayType(HLS_TYPE) ? film.hls : null
      const progressive = film.sources.find(({ type }) => video.canPlayType(type) !== '') ?? film.sources[0]
      const address = nativeHls ?? progressive?.src
      if (!address) return
      video.src = address
      video.currentTime = startSeconds
    },
  }
}
