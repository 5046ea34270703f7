import { mountIsland } from '#islands/mount/mount.ts'
import { AccessPanel } from './AccessPanel.tsx'
import type { AccessPanelProps } from './access.ts'

/** The desk in its place; `show` draws it anew for what is ticked now. */
export function mountAccessPanel(container: HTMLElement) {
  const island = mountIsland(container, 'access', null)
  return { show: (props: AccessPanelProps) => island.render(<AccessPanel {...props} />), close: island.unmount }
}
