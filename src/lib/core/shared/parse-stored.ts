import type { z } from 'zod'

/**
 * Reads what this product has stored or put together itself. Where it does not fit, that is a bug and no fault of the
 * request: throws an Error that is logged and answered with 500, unlike the ZodError of an input.
 */
export function parseStored<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error('stored data do not fit their schema', { cause: parsed.error })
}
