import type Hls from 'hls.js'
import type { ErrorData } from 'hls.js'
import type { MapStore } from 'nanostores'
import type { EngineState } from './engine-state.ts'
import { resolutionOf } from './level-size.ts'
import type { SignedUrls } from './signed-urls.ts'

interface HlsOptions {
  signedUrls: SignedUrls
  /** Seconds. */
  startPosition: number
  /** Receives the state of hls.js. */
  $state: MapStore<EngineState>
  /** Called with errors from which hls.js could not recover. */
  recover: (data: ErrorData) => void
}

/** Creates hls.js for one video, or null in browsers without Media Source Extensions. */
export async function createHls({ signedUrls, startPosition, $state, recover }: HlsOptions): Promise<Hls | null> {
  const { default: Player } = await import('hls.js')
  if (!Player.isSupported()) return null
  const hls = new Player({
    startPosition,
    // The Content-Security-Policy allows no workers from blob URLs, and fMP4 needs none.
    enableWorker: false,
    capLevelToPlayerSize: true,
    backBufferLength: 60,
    // Playlists contain segments with the token of their own URL; each request uses the newest token.
    xhrSetup: async (xhr, address) => xhr.open('GET', await signedUrls.current(address), true),
  })
  const { MANIFEST_PARSED, LEVEL_SWITCHED, ERROR } = Player.Events
  hls.on(MANIFEST_PARSED, () => {
    const heights = [...new Set(hls.levels.map(resolutionOf))].filter((height) => height > 0)
    heights.sort((a, b) => b - a)
    $state.setKey('heights', heights)
    const chosenLevel = hls.levels.findIndex((level) => resolutionOf(level) === $state.get().chosenHeight)
    if (chosenLevel >= 0) hls.nextLevel = chosenLevel
  })
  hls.on(LEVEL_SWITCHED, (_, { level }) => {
    const currentLevel = hls.levels[level]
    $state.setKey('currentHeight', currentLevel ? resolutionOf(currentLevel) || null : null)
  })
  hls.on(ERROR, (_, data) => {
    if (data.fatal) recover(data)
  })
  return hls
}
