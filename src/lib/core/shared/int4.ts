import { z } from 'zod'

/**
 * An integer in the range of PostgreSQL's `integer` (int4), for all input that is compared with or stored in such a
 * column.
 */
export const int4 = z.int32()

/** The same for a query parameter, which is a string; at least `least`. */
export const int4Text = (least: number) => z.coerce.number().pipe(int4.min(least))
