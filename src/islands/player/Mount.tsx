import { mountIsland } from '#islands/mount/mount.ts'
import { loadLive } from './load.ts'
import type { PlayerProps } from './player-props.ts'

/** Puts the living player in the place of the page's picture. Answers how to take it away. */
export async function mountPlayer(place: HTMLElement, props: PlayerProps): Promise<() => void> {
  const Live = await loadLive(props.view.hls !== null)
  return mountIsland(place, 'player', <Live {...props} />, { now: true }).unmount
}

export const warmPlayer = ({ view }: PlayerProps) => loadLive(view.hls !== null)
