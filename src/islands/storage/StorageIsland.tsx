import { mountIsland } from '#islands/mount/mount.ts'
import type { BrowserProps } from './browser/listing-query.ts'
import { StorageBrowser } from './StorageBrowser.tsx'

/** Puts the living storage in the place of the still one. Answers how to take it away. */
export function mountStorage(place: HTMLElement, props: BrowserProps): () => void {
  return mountIsland(place, 'storage', <StorageBrowser {...props} />).unmount
}
