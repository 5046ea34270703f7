import type Hls from 'hls.js'
import type { AutoVideoSource } from '#lib/autowebinar/auto-view-schema.ts'

export interface VideoSource {
  /** Loads a video at a position in seconds. */
  open(source: AutoVideoSource, startSeconds: number): Promise<void>
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
    open: async (source, startSeconds) => {
      close()
      const ownGeneration = generation
      // hls.js is preferred: it behaves the same in all browsers.
      if (source.hls) {
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
          hls.loadSource(source.hls)
          return
        }
      }
      const nativeHls = source.hls && video.canPlayType(HLS_TYPE) ? source.hls : null
      const progressive = source.sources.find(({ type }) => video.canPlayType(type) !== '') ?? source.sources[0]
      const address = nativeHls ?? progressive?.src
      if (!address) return
      video.src = address
      video.currentTime = startSeconds
    },
  }
}
