import { type ComponentType, createElement, type ReactElement } from 'react'
import { IslandBoundary } from './IslandBoundary.tsx'
import type { HydratedIslandName } from './names.ts'

/** A component for Astro's `client:*`, with the error boundary that `mountIsland` gives to the others. */
export function asIsland<Props extends object>(
  name: HydratedIslandName,
  Component: ComponentType<Props>,
): (props: Props) => ReactElement {
  return function Island(props) {
    return createElement(IslandBoundary, { name }, createElement(Component, props))
  }
}
