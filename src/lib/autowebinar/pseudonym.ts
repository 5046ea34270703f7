import { createHash } from 'node:crypto'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

/**
 * Creates pseudonyms: one per person, unique, and different from the real names of the event. `salt` varies them
 * between scripts.
 */
export function createPseudonyms(
  locale: Locale,
  salt: string,
  realNames: Iterable<string>,
): (person: string) => string {
  const t = getTranslator(locale)
  const names = { first: t('autowebinar:names.first').split(' '), initials: t('autowebinar:names.initials') }
  const nameByPerson = new Map<string, string>()
  const toLower = (name: string) => name.toLocaleLowerCase(locale)
  const real = [...realNames].map(toLower)
  const usedNames = new Set(real)
  const realFirstNames = new Set(real.map(firstWord))
  return (person) => {
    const existing = nameByPerson.get(person)
    if (existing) return existing
    let name = ''
    const isReal = (attempt: number) =>
      usedNames.has(toLower(name)) || (attempt <= FIRST_NAME_ATTEMPTS && realFirstNames.has(firstWord(toLower(name))))
    for (let attempt = 0; name === '' || isReal(attempt); attempt++) {
      name = buildName(names, createHash('sha256').update(`${salt} ${person} ${attempt}`).digest(), attempt)
    }
    usedNames.add(toLower(name))
    nameByPerson.set(person, name)
    return name
  }
}

const firstWord = (name: string): string => name.split(/\s+/)[0] ?? name

/** Number of attempts that avoid real first names too. */
const FIRST_NAME_ATTEMPTS = 20
/** From this attempt on a number is appended: in a large room all combinations may be in use. */
const PLAIN_NAME_ATTEMPTS = 40

interface Names {
  first: string[]
  initials: string
}

function buildName({ first: firstNames, initials }: Names, digest: Buffer, attempt: number): string {
  const first = firstNames[digest.readUInt32BE(0) % firstNames.length]
  const letter = initials[digest.readUInt32BE(4) % initials.length]
  return attempt < PLAIN_NAME_ATTEMPTS
    ? `${first} ${letter}.`
    : `${first} ${letter}. ${2 + (digest.readUInt32BE(8) % 9998)}`
}

/**
 * Removes names of people from texts: the real names in `people`, and their first names, are replaced by pseudonyms;
 * email addresses, phone numbers and @nicknames are removed.
 */
export function createNameRemover(people: ReadonlyMap<string, string>): (text: string) => string {
  const replacements = new Map<string, string>()
  for (const [name, replacement] of people) {
    const [first = '', ...otherWords] = name.split(/\s+/)
    replacements.set(name.toLowerCase(), replacement)
    if (otherWords.length > 0 && !replacements.has(first.toLowerCase()))
      replacements.set(first.toLowerCase(), replacement.split(' ')[0] ?? replacement)
  }
  const names = [...replacements.keys()].filter((name) => name.length > 2).sort((a, b) => b.length - a.length)
  // One expression for all names: a webinar may have a thousand names and ten thousand messages.
  const namePattern =
    names.length > 0
      ? new RegExp(`(?<![\\p{L}\\p{N}])(${names.map(escapeRegExp).join('|')})(?![\\p{L}\\p{N}])`, 'giu')
      : null
  return (text) => {
    const clean = text.replace(CONTACT_PATTERN, REMOVED).replace(NICKNAME_PATTERN, REMOVED)
    return namePattern ? clean.replace(namePattern, (name) => replacements.get(name.toLowerCase()) ?? REMOVED) : clean
  }
}

const REMOVED = '•••'
const CONTACT_PATTERN =
  /(?<![^\s<>()[\]"«»,;:])[^\s@<>()[\]"«»,;:]+@[^\s@<>()[\]"«»,;:]+\.[\p{L}\p{N}-]{2,}|\+?\d[\d\s()-]{7,}\d/gu
const NICKNAME_PATTERN = /(?<![\p{L}\p{N}])@[\w.]{3,}/gu

// The flag `u` allows no other escapes.
const escapeRegExp = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
