import type { Violation } from './source.ts'

/** Endpoints that are not pages and have no row in the route table. */
const ENDPOINTS = /^src\/pages\/(v1|dev)\/|^src\/pages\/(404|500)\.astro$/
const PROBES = new Set(['src/pages/healthz.ts', 'src/pages/readyz.ts'])

export interface PageFacts {
  /** Patterns of the route table. */
  routes: string[]
  /** Files under src/pages. */
  pages: string[]
  /** Patterns without a page so far. */
  missing: string[]
}

/** Every page has a row in the route table; the rows without a page are exactly those in the list of missing ones. */
export function pagesWithoutRoute({ routes, pages, missing }: PageFacts): Violation[] {
  const screens = pages.filter((path) => isScreen(path))
  const rows = new Set(routes.map(shapeOf))
  const built = new Set(
    [...screens, ...pages.filter((path) => ENDPOINTS.test(path))].map((path) => shapeOf(addressOf(path))),
  )
  return [
    ...screens
      .filter((path) => !rows.has(shapeOf(addressOf(path))))
      .map((path) => ({ path, message: 'has no row in the route table' })),
    ...routes
      .filter((route) => !built.has(shapeOf(route)) && !missing.includes(route))
      .map((path) => ({ path, message: 'has no page' })),
    ...missing
      .filter((route) => built.has(shapeOf(route)))
      .map((path) => ({ path, message: 'has a page now: take it off missing-routes.json' })),
    ...missing
      .filter((page) => !routes.includes(page))
      .map((path) => ({ path, message: 'is missing, but no route: take it off missing-routes.json' })),
  ]
}

function isScreen(path: string): boolean {
  const hidden = path.split('/').some((segment) => segment.startsWith('_'))
  return !hidden && /\.(astro|ts)$/.test(path) && !ENDPOINTS.test(path) && !PROBES.has(path)
}

/** `src/pages/course/[id].astro` to `/course/[id]`. */
function addressOf(path: string): string {
  return (
    path
      .replace('src/pages', '')
      .replace(/\.(astro|ts)$/, '')
      .replace(/\/index$/, '') || '/'
  )
}

// Names of parameters differ between the table and the files; their positions are equal.
const shapeOf = (pattern: string): string => pattern.replace(/\{[^}]+\}|\[[^\]]+\]/g, '*')
