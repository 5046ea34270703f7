import { createElement, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { IslandBoundary } from './IslandBoundary.tsx'
import type { MountedIslandName } from './names.ts'

export interface MountedIsland {
  /** Renders other content in the same container. */
  render(element: ReactNode): void
  unmount(): void
}

/**
 * Renders an island into its container, inside an error boundary: the only use of `createRoot`. With `isSync` the
 * island is in the document when the call returns, e.g. because text or focus is restored immediately afterwards.
 */
export function mountIsland(
  place: HTMLElement,
  name: MountedIslandName,
  element: ReactNode,
  { isSync = false }: { isSync?: boolean } = {},
): MountedIsland {
  const root = createRoot(place)
  const render = (next: ReactNode) => root.render(createElement(IslandBoundary, { name }, next))
  place.dataset.island = name
  if (isSync) flushSync(() => render(element))
  else render(element)
  return {
    render,
    unmount() {
      root.unmount()
      delete place.dataset.island
    },
  }
}
