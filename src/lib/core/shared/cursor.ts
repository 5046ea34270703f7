import { z } from 'zod'

/** The `cursor` of an input that lists: `next` of the previous page; omitted for the first page. */
export const Cursor = z.string().max(1400).optional()
