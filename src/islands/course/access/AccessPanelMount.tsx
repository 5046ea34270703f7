import { mountIsland } from '#islands/mount/mount.ts'
import { AccessPanel } from './AccessPanel.tsx'
import type { AccessPanelProps } from './access.ts'

/** Mounts the access panel; `show` renders it with new props. */
export function mountAccessPanel(container: HTMLElement) {
  const island = mountIsland(container, 'access', null)
  return { show: (props: AccessPanelProps) => island.render(<AccessPanel {...props} />), close: island.unmount }
}
