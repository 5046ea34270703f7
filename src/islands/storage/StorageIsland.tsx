import { mountIsland } from '#islands/mount/mount.ts'
import type { BrowserProps } from './browser/listing-query.ts'
import { StorageBrowser } from './StorageBrowser.tsx'

/** Mounts the interactive storage in place of the static one. Returns how to unmount. */
export function mountStorage(place: HTMLElement, props: BrowserProps): () => void {
  return mountIsland(place, 'storage', <StorageBrowser {...props} />).unmount
}
