import type Hls from 'hls.js'
import type { AutoFilm } from '#lib/autowebinar/play-schema.ts'

export interface Source {
  /** Loads what these addresses name, at so many seconds. */
  open(film: AutoFilm, at: number): Promise<void>
  close(): void
}

const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** Brings a film into an element: hls.js, the browser's own HLS, or the original by Range. `lost` says that it failed. */
export function sourceFor(video: HTMLVideoElement, lost: () => void): Source {
  let hls: Hls | null = null
  let turn = 0
  const close = () => {
    turn++
    hls?.destroy()
    hls = null
    video.removeAttribute('src')
  }
  return {
    close,
    open: async (film, at) => {
      close()
      const mine = turn
      // Where both work hls.js is the surer one.
      if (film.hls) {
        const { default: Player } = await import('hls.js')
        if (mine !== turn) return
        if (Player.isSupported()) {
          // The policy lets no worker be made of a blob.
          hls = new Player({ startPosition: at, enableWorker: false, capLevelToPlayerSize: true, backBufferLength: 30 })
          hls.on(Player.Events.ERROR, (_, { fatal }) => fatal && lost())
          hls.attachMedia(video)
          hls.loadSource(film.hls)
          return
        }
      }
      const own = film.hls && video.canPlayType(HLS_TYPE) ? film.hls : null
      const plain = film.sources.find(({ type }) => video.canPlayType(type) !== '') ?? film.sources[0]
      const address = own ?? plain?.src
      if (!address) return
      video.src = address
      video.currentTime = at
    },
  }
}
