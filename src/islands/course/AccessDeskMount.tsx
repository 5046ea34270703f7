import { createRoot } from 'react-dom/client'
import { AccessDesk } from './AccessDesk.tsx'
import type { DeskProps } from './access.ts'

/** The desk in its place; `show` draws it anew for what is ticked now. */
export function mountDesk(place: HTMLElement) {
  const root = createRoot(place)
  return { show: (props: DeskProps) => root.render(<AccessDesk {...props} />), close: () => root.unmount() }
}
