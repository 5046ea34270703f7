/** Selects the elements into which React has rendered islands. Other scripts must not change their content. */
export const ISLAND_SELECTOR = '[data-island], astro-island'
