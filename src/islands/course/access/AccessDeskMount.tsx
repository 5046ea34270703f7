import { mountIsland } from '#islands/mount/mount.ts'
import { AccessDesk } from './AccessDesk.tsx'
import type { DeskProps } from './access.ts'

/** The desk in its place; `show` draws it anew for what is ticked now. */
export function mountDesk(place: HTMLElement) {
  const island = mountIsland(place, 'access', null)
  return { show: (props: DeskProps) => island.render(<AccessDesk {...props} />), close: island.unmount }
}
