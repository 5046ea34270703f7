import { z } from 'zod'

const DIRECTION = '\\u202a-\\u202e\\u2066-\\u2069'
const NOT_IN_LINE = new RegExp(`[\\p{Cc}\\u2028\\u2029${DIRECTION}]`, 'u')
const NOT_IN_NAME = new RegExp(`[\\p{Cc}\\u2028\\u2029\\u200b-\\u200f${DIRECTION}]`, 'u')

/** Whether the database can hold a text as it is: PostgreSQL knows no NUL, UTF-8 no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** Some lines of free text. */
export const text = (max: number) => z.string().trim().max(max).refine(isStorable, 'format')

/** One line: no line ends, and nothing that turns the direction of what follows, since it would fake rows in lists. */
export const line = (max: number) =>
  text(max)
    .normalize()
    .refine((value) => !NOT_IN_LINE.test(value), 'format')

/** A line that names somebody: no invisible letters either, so that no two names look the same. */
export const nameLine = (max: number) => line(max).refine((value) => !NOT_IN_NAME.test(value), 'format')

// ASCII is asked for before lower-casing: the Kelvin sign and its like would become plain letters.
export const Email = z
  .string()
  .trim()
  .min(1, { error: 'required', abort: true })
  .max(254, { error: 'email', abort: true })
  .regex(/^[\x21-\x7e]+$/, { error: 'email', abort: true })
  .toLowerCase()
  .pipe(z.email('email'))
