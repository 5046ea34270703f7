import { z } from 'zod'

/** Longest name of a person as others see it, and of each of its two parts. */
export const PERSON_NAME_LIMIT = 160
const NAME_PART_LIMIT = 80

/**
 * Makes one visible line of a name: control characters and line breaks become spaces; invisible characters, those that
 * turn the direction of writing, and halves of surrogate pairs are removed, joiners that shape letters or an emoji are
 * kept. A name that shows nothing becomes empty. Cleaning twice changes nothing.
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
/** A mark alone, a filler of Hangul, and an empty pattern of Braille show nothing. */
const VISIBLE = /[^\p{M}\p{Default_Ignorable_Code_Point}\s\u2800]/u

/** Whether the character at a place is a joiner that its neighbours need. */
function isShaping(name: string, at: number): boolean {
  return JOINERS.some((joiner) => {
    joiner.lastIndex = at
    return joiner.test(name)
  })
}

const nameOf = (limit: number) => z.string().transform(cleanName).pipe(z.string().max(limit))

/** The one rule for names of people, wherever they are typed, imported or read from a log. May be empty. */
export const PersonName = nameOf(PERSON_NAME_LIMIT)

/** The same for a name that must be given. */
export const RequiredPersonName = PersonName.pipe(z.string().min(1, 'required'))

/** A first or a last name. */
export const NamePart = nameOf(NAME_PART_LIMIT)

/** Cleans a name that nobody can correct now, and cuts it to the limit between two characters. */
export function clipName(name: string, limit = PERSON_NAME_LIMIT): string {
  return cleanName(cleanName(name).slice(0, limit))
}

/** First and last name as one that keeps the rule; empty when there is neither. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return clipName(`${firstName} ${lastName}`)
}

/** The first word of a name and the rest of it, each within its limit. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [first = '', ...rest] = cleanName(name).split(' ')
  return { firstName: clipName(first, NAME_PART_LIMIT), lastName: clipName(rest.join(' '), NAME_PART_LIMIT) }
}
