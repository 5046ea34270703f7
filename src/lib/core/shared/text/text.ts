import { z } from 'zod'

const DIRECTION = '\\u202a-\\u202e\\u2066-\\u2069'
const NOT_IN_LINE = new RegExp(`[\\p{Cc}\\u2028\\u2029${DIRECTION}]`, 'u')
const NOT_IN_NAME = new RegExp(`[\\p{Cc}\\u2028\\u2029\\u200b-\\u200f${DIRECTION}]`, 'u')

/** Whether the database can hold a text as it is: PostgreSQL knows no NUL, UTF-8 no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** The same for all texts and names of fields within an input. Files are not looked into. */
export function isStorableWithin(input: unknown): boolean {
  // Without recursion: somebody else decides how deep it is.
  const waiting: unknown[] = [input]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string' && !isStorable(value)) return false
    if (typeof value !== 'object' || value === null || value instanceof Blob) continue
    for (const [name, inner] of Object.entries(value)) waiting.push(name, inner)
  }
  return true
}

/** Some lines of free text. */
export const multilineText = (max: number) => z.string().trim().max(max).refine(isStorable, 'format')

/** One line: no line ends, and nothing that turns the direction of what follows, since it would fake rows in lists. */
export const textLine = (max: number) =>
  z
    .string()
    .normalize()
    .trim()
    .max(max)
    .refine(isStorable, 'format')
    .refine((value) => !NOT_IN_LINE.test(value), 'format')

/** A line that names an organisation: no invisible letters either, so that no two names look the same. */
export const nameTextLine = (max: number) => textLine(max).refine((value) => !NOT_IN_NAME.test(value), 'format')
