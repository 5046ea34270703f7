import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { loadLive } from './load.ts'
import type { PlayerProps } from './Player.tsx'

/** Puts the living player in the place of the page's picture. Answers how to take it away. */
export async function mountPlayer(place: HTMLElement, props: PlayerProps): Promise<() => void> {
  const Live = await loadLive(props.view.hls !== null)
  const root = createRoot(place)
  flushSync(() => root.render(<Live {...props} />))
  return () => root.unmount()
}

export const warmPlayer = ({ view }: PlayerProps) => loadLive(view.hls !== null)
