import { createRoot } from 'react-dom/client'
import type { BrowserProps } from './browser.ts'
import { StorageBrowser } from './StorageBrowser.tsx'

/** Puts the living storage in the place of the still one. Answers how to take it away. */
export function mountStorage(place: HTMLElement, props: BrowserProps): () => void {
  const root = createRoot(place)
  root.render(<StorageBrowser {...props} />)
  return () => root.unmount()
}
