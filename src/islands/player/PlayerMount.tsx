import { mountIsland } from '#islands/mount/mount.ts'
import { loadLivePlayer } from './load-player.ts'
import type { PlayerProps } from './player-props.ts'

/** Mounts the player in place of the poster of the page. Returns a function that unmounts it. */
export async function mountPlayer(container: HTMLElement, props: PlayerProps): Promise<() => void> {
  const Live = await loadLivePlayer(props.view.hls !== null)
  return mountIsland(container, 'player', <Live {...props} />, { isSync: true }).unmount
}

export const preloadPlayer = ({ view }: PlayerProps) => loadLivePlayer(view.hls !== null)
