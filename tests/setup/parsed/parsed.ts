import type { z } from 'zod'

/**
 * A domain function that takes its input as a procedure does: it is parsed by the procedure's schema, which fills in the
 * defaults. For tests whose subject is not the complete input; invalid input is tested at the procedure.
 */
export const parsed =
  <First, Schema extends z.ZodType, Rest extends unknown[], Result>(
    schema: Schema,
    action: (first: First, input: z.output<Schema>, ...rest: Rest) => Result,
  ) =>
  (first: First, input: z.input<Schema>, ...rest: Rest): Result =>
    action(first, schema.parse(input), ...rest)

/** The same for functions without an actor, whose input comes first. */
export const parsedFirst =
  <Schema extends z.ZodType, Rest extends unknown[], Result>(
    schema: Schema,
    action: (input: z.output<Schema>, ...rest: Rest) => Result,
  ) =>
  (input: z.input<Schema>, ...rest: Rest): Result =>
    action(schema.parse(input), ...rest)
