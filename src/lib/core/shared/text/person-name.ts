import { z } from 'zod'

/** Maximum length of a displayed name, and of each of its two parts. */
export const PERSON_NAME_LIMIT = 160
export const NAME_PART_LIMIT = 80

/**
 * Normalizes a name to one visible line: control characters and line breaks become spaces; invisible characters,
 * direction controls and lone surrogates are removed; joiners that affect the shape of letters or emoji are kept. A
 * name without visible characters becomes empty. Idempotent.
 */
export function cleanName(name: string): string {
  const clean = name
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, (sign, at: number) => (isShaping(name, at) ? sign : ''))
    .normalize('NFC')
    .replace(/\s{2,}/g, ' ')
    .trim()
  return VISIBLE.test(clean) ? clean : ''
}

/** Scripts in which a zero-width joiner or non-joiner between two letters changes how they are written. */
const SCRIPTS = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'.split(' ')
const SHAPED = `[${SCRIPTS.map((script) => `\\p{sc=${script}}`).join('')}]`
const EMOJI_END = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]'
const JOINERS = [
  new RegExp(`(?<=${SHAPED})[\\u200c\\u200d](?=${SHAPED})`, 'uy'),
  new RegExp(`(?<=${EMOJI_END})\\u200d(?=\\p{Extended_Pictographic})`, 'uy'),
]
/** Combining marks alone, Hangul fillers and the blank Braille pattern are not visible. */
const VISIBLE = /[^\p{M}\p{Default_Ignorable_Code_Point}\s\u2800]/u

/** Whether the character at an index is a joiner that affects the adjacent characters. */
function isShaping(name: string, at: number): boolean {
  return JOINERS.some((joiner) => {
    joiner.lastIndex = at
    return joiner.test(name)
  })
}

const cleanNameSchema = (limit: number) => z.string().transform(cleanName).pipe(z.string().max(limit))

/** The schema of names of persons, whether typed, imported or read from a log. May be empty. */
export const PersonName = cleanNameSchema(PERSON_NAME_LIMIT)

/** The same for a required name. */
export const RequiredPersonName = PersonName.pipe(z.string().min(1, 'required'))

/** A first or a last name. */
export const NamePart = cleanNameSchema(NAME_PART_LIMIT)

/** An optional patronymic; null when there is none. */
export const Patronymic = NamePart.transform((name) => name || null).optional()

/**
 * Normalizes a name that cannot be corrected by the user any more, and truncates it to the limit at a character
 * boundary.
 */
export function clipName(name: string, limit = PERSON_NAME_LIMIT): string {
  return cleanName(cleanName(name).slice(0, limit))
}

/** First and last name joined and normalized; empty when both are empty. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return clipName(`${firstName} ${lastName}`)
}

/** The first word of a name and the rest, each within its limit. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [first = '', ...rest] = cleanName(name).split(' ')
  return { firstName: clipName(first, NAME_PART_LIMIT), lastName: clipName(rest.join(' '), NAME_PART_LIMIT) }
}
