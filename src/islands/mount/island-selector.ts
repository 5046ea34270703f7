/** Matches the element that React has rendered an island into. Other scripts read inside it and change nothing there. */
export const ISLAND_SELECTOR = '[data-island], astro-island'
