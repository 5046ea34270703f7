import type Hls from 'hls.js'
import type { ErrorData } from 'hls.js'
import type { MapStore } from 'nanostores'
import type { EngineState } from './engine-state.ts'
import { sizeOf } from './level-size.ts'
import type { Tickets } from './tickets.ts'

interface Parts {
  tickets: Tickets
  /** Seconds. */
  startPosition: number
  /** Gets what hls.js finds. */
  $state: MapStore<EngineState>
  /** Hears of what hls.js could not help itself. */
  mend: (data: ErrorData) => void
}

/** hls.js for one recording, or null where the browser has no Media Source Extensions. */
export async function newHls({ tickets, startPosition, $state, mend }: Parts): Promise<Hls | null> {
  const { default: Player } = await import('hls.js')
  if (!Player.isSupported()) return null
  const hls = new Player({
    startPosition,
    // The policy lets no worker be made of a blob, and fMP4 leaves it nothing to do.
    enableWorker: false,
    capLevelToPlayerSize: true,
    backBufferLength: 60,
    // Playlists name their parts under the ticket they came with; each request goes under the newest.
    xhrSetup: async (xhr, address) => xhr.open('GET', await tickets.current(address), true),
  })
  const { MANIFEST_PARSED, LEVEL_SWITCHED, ERROR } = Player.Events
  hls.on(MANIFEST_PARSED, () => {
    const heights = [...new Set(hls.levels.map(sizeOf))].filter((height) => height > 0)
    heights.sort((a, b) => b - a)
    $state.setKey('heights', heights)
    const chosen = hls.levels.findIndex((level) => sizeOf(level) === $state.get().chosen)
    if (chosen >= 0) hls.nextLevel = chosen
  })
  hls.on(LEVEL_SWITCHED, (_, { level }) => {
    const now = hls.levels[level]
    $state.setKey('now', now ? sizeOf(now) || null : null)
  })
  hls.on(ERROR, (_, data) => {
    if (data.fatal) mend(data)
  })
  return hls
}
