import { z } from 'zod'

/** The `cursor` of an input that lists: `next` of the page before; the first page when it is left out. */
export const Cursor = z.string().max(1400).optional()
