import type Hls from 'hls.js'
import type { AutoVideoSource } from '#lib/autowebinar/auto-view-schema.ts'

export interface VideoSource {
  /** Loads what these addresses name, at so many seconds. */
  open(film: AutoVideoSource, startSeconds: number): Promise<void>
  close(): void
}

const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** Brings a film into an element: hls.js, the browser's own HLS, or the original by Range. `lost` says that it failed. */
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
    open: async (film, at) => {
      close()
      const ownGeneration = generation
      // Where both work hls.js is the surer one.
      if (film.hls) {
        const { default: Player } = await import('hls.js')
        if (ownGeneration !== generation) return
        if (Player.isSupported()) {
          // The policy lets no worker be made of a blob.
          hls = new Player({ startPosition: at, enableWorker: false, capLevelToPlayerSize: true, backBufferLength: 30 })
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
      video.currentTime = at
    },
  }
}
