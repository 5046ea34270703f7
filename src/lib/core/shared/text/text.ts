import { z } from 'zod'

const DIRECTION = '\\u202a-\\u202e\\u2066-\\u2069'
const NOT_IN_LINE = new RegExp(`[\\p{Cc}\\u2028\\u2029${DIRECTION}]`, 'u')
const NOT_IN_NAME = new RegExp(`[\\p{Cc}\\u2028\\u2029\\u200b-\\u200f${DIRECTION}]`, 'u')

/** Whether the database can store a text unchanged: PostgreSQL does not accept NUL, UTF-8 no lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** Whether all texts and field names of an input are storable. Files are not checked. */
export function isStorableWithin(input: unknown): boolean {
  // Without recursion, because the input determines the depth.
  const pending: unknown[] = [input]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string' && !isStorable(value)) return false
    if (typeof value !== 'object' || value === null || value instanceof Blob) continue
    for (const [name, inner] of Object.entries(value)) pending.push(name, inner)
  }
  return true
}

const VISIBLE = /[^\p{DI}\p{Cc}\p{Cf}\p{Z}\u2800]/u

/** Whether a text shows something: spaces, zero-width characters and blank letters (Hangul fillers, empty Braille) do not. */
export const hasVisibleText = (text: string): boolean => VISIBLE.test(text)

/** A message: text without spaces at its ends; empty when nothing of it is visible. */
export const messageText = (max: number) =>
  z
    .string()
    .trim()
    .transform((text) => (hasVisibleText(text) ? text : ''))
    .pipe(z.string().max(max, 'too_long'))

/** Not one of invisible characters only. */
const isEmptyOrVisible = (text: string): boolean => text === '' || hasVisibleText(text)

/** Free text of several lines. */
export const multilineText = (max: number) =>
  z.string().trim().max(max).refine(isStorable, 'format').refine(isEmptyOrVisible, 'required')

/** One line: no line ends, and no direction controls, which could disguise rows of lists. */
export const textLine = (max: number) =>
  z
    .string()
    .normalize()
    .trim()
    .max(max)
    .refine(isStorable, 'format')
    .refine((value) => !NOT_IN_LINE.test(value), 'format')
    .refine(isEmptyOrVisible, 'required')

/** A line that names an organisation: no invisible characters either, so that two names cannot look the same. */
export const nameTextLine = (max: number) => textLine(max).refine((value) => !NOT_IN_NAME.test(value), 'format')
