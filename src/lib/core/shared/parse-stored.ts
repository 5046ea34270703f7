import type { z } from 'zod'

/**
 * Parses data that the product itself has stored or assembled. Invalid data is a bug and not an error of the request:
 * throws an Error that is logged and answered with 500, unlike the ZodError of an input.
 */
export function parseStored<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error('stored data do not fit their schema', { cause: parsed.error })
}
