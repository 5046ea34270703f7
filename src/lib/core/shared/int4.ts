import { z } from 'zod'

/** A whole number that fits PostgreSQL's `integer` (int4): every number from outside that meets such a column. */
export const int4 = z.int32()

/** The same from a query, where it comes as text, not below `least`. */
export const int4Text = (least: number) => z.coerce.number().pipe(int4.min(least))
