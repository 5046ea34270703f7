import { createHash } from 'node:crypto'
import { translator } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

/**
 * Gives other names to people: one person always the same, two people never one, and nobody that of somebody who was
 * really there. `salt` makes the choice another one for each script.
 */
export function pseudonyms(locale: Locale, salt: string, realNames: Iterable<string>): (person: string) => string {
  const t = translator(locale)
  const names = { first: t('autowebinar:names.first').split(' '), letters: t('autowebinar:names.letters') }
  const given = new Map<string, string>()
  const low = (name: string) => name.toLocaleLowerCase(locale)
  const real = [...realNames].map(low)
  const taken = new Set(real)
  const realFirsts = new Set(real.map(firstWord))
  return (person) => {
    const known = given.get(person)
    if (known) return known
    let name = ''
    const isReal = (turn: number) =>
      taken.has(low(name)) || (turn <= CHOOSY_TURNS && realFirsts.has(firstWord(low(name))))
    for (let turn = 0; name === '' || isReal(turn); turn++) {
      name = nameOf(names, createHash('sha256').update(`${salt} ${person} ${turn}`).digest(), turn)
    }
    taken.add(low(name))
    given.set(person, name)
    return name
  }
}

const firstWord = (name: string): string => name.split(/\s+/)[0] ?? name

/** Not even the first name of somebody who was there, unless nearly all of them were. */
const CHOOSY_TURNS = 20
/** All combinations may be in use in a large room: then a number is added. */
const PLAIN_TURNS = 40

interface Names {
  first: string[]
  letters: string
}

function nameOf({ first: firsts, letters }: Names, digest: Buffer, turn: number): string {
  const first = firsts[digest.readUInt32BE(0) % firsts.length]
  const letter = letters[digest.readUInt32BE(4) % letters.length]
  return turn < PLAIN_TURNS ? `${first} ${letter}.` : `${first} ${letter}. ${2 + (digest.readUInt32BE(8) % 9998)}`
}

/**
 * Makes texts tell no more of who was there: the real names in `people`, and their first words, are replaced by the other
 * ones; addresses, telephone numbers and nicknames behind an @ are struck out.
 */
export function withoutPeople(people: ReadonlyMap<string, string>): (text: string) => string {
  const others = new Map<string, string>()
  for (const [name, other] of people) {
    const [first = '', ...more] = name.split(/\s+/)
    others.set(name.toLowerCase(), other)
    if (more.length > 0 && !others.has(first.toLowerCase()))
      others.set(first.toLowerCase(), other.split(' ')[0] ?? other)
  }
  const names = [...others.keys()].filter((name) => name.length > 2).sort((a, b) => b.length - a.length)
  // One expression for all of them: a webinar may have a thousand names and ten thousand messages.
  const known =
    names.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(${names.map(plain).join('|')})(?![\\p{L}\\p{N}])`, 'giu') : null
  return (text) => {
    const clean = text.replace(CONTACT, STRUCK).replace(NICKNAME, STRUCK)
    return known ? clean.replace(known, (name) => others.get(name.toLowerCase()) ?? STRUCK) : clean
  }
}

const STRUCK = '•••'
const CONTACT =
  /(?<![^\s<>()[\]"«»,;:])[^\s@<>()[\]"«»,;:]+@[^\s@<>()[\]"«»,;:]+\.[\p{L}\p{N}-]{2,}|\+?\d[\d\s()-]{7,}\d/gu
const NICKNAME = /(?<![\p{L}\p{N}])@[\w.]{3,}/gu

// No other sign may be escaped in an expression with the flag u.
const plain = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
