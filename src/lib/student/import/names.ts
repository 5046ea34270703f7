import { cleanName, clipName } from '#lib/core/shared/text/person-name.ts'
import { isGivenName } from './given-names.ts'

export interface NameParts {
  firstName: string
  lastName: string
  patronymic: string
}

/** Endings of patronymics in Ukrainian, Russian and both in Latin letters; surnames may have those of men too. */
const OF_WOMEN = /\p{L}(?:івна|ївна|овна|евна|євна|ічна|ична|ivna|yivna|ovna|evna|yevna)$/iu
const OF_MEN = /\p{L}(?:ович|евич|євич|йович|ілліч|ильич|лукич|кузьмич|хомич|ovych|evych|yovych|ovich|evich)$/iu
const SON_OR_DAUGHTER = /^(?:огли|оглы|кизи|кызы|ogly|oglu|oğlu|kyzy|qizi|qızı)$/iu
const INITIAL = /^\p{Lu}\.?$/u
/** Words that begin a surname: "ван дер Берг", "de la Cruz". */
const PARTICLE =
  /^(?:ван|вон|фон|дер|ден|де|ді|да|дю|дель|делла|ла|ле|лос|дос|тер|ібн|ибн|бін|аль|ель|van|von|der|den|de|di|da|du|del|della|la|le|los|dos|das|ter|ten|ibn|bin|al|el|af|zu|zur|st\.?)$/iu
/** Endings of surnames that given names do not have. */
const SURNAME_ENDING =
  /\p{L}(?:енко|[ую]к|чак|[сцз]ький|[сцз]ька|ова|ева|єва|ов|ев|єв|їв|ишин|ець|enko|chuk|iuk|yuk|sky|skyi|ska|ov|ova)$/iu
const SURNAME_SUFFIX = /^(?:jr|sr|ii|iii|iv|мол|ст|\d{1,6})\.?$/iu

const isPatronymic = (word: string): boolean => OF_WOMEN.test(word) || OF_MEN.test(word)

export interface SplitName extends NameParts {
  /** The words of this name tell another order than that of the column. */
  isReordered: boolean
}

/** Surname, given names and patronymic of a text that begins with the surname: «Ван дер Берг Анна Марія Іванівна». */
export function splitSurnameFirst(text: string): SplitName {
  const [words, rest] = splitAtComma(text)
  if (rest) return { lastName: words.join(' '), ...splitGiven(rest), isReordered: false }
  const [first = '', second = '', third] = words
  // «Іван Петрович»: without the surname.
  if (words.length === 2 && isPatronymic(second) && isGivenName(first))
    return { lastName: '', firstName: first, patronymic: second, isReordered: true }
  const isReordered =
    words.length === 2
      ? isGivenName(first) && !isGivenName(second)
      : isPatronymic(second) && third !== undefined && !isPatronymic(words.at(-1) ?? '')
  return { ...(isReordered ? fromGivenNames(words) : fromSurname(words)), isReordered }
}

/** The same of a text that begins with the given names: «Анна Марія Іванівна ван дер Берг», or has one word. */
export function splitGivenFirst(text: string): SplitName {
  const [words, rest] = splitAtComma(text)
  if (rest) return splitSurnameFirst(text)
  const [first = '', second = ''] = words
  const last = words.at(-1) ?? ''
  const isReordered =
    words.length === 2
      ? SURNAME_ENDING.test(first) && !isGivenName(first) && isGivenName(second)
      : words.length > 2 && isPatronymic(last) && !isPatronymic(words.at(-2) ?? '') && !isGivenName(first)
  return { ...(isReordered ? fromSurname(words) : fromGivenNames(words)), isReordered }
}

function fromSurname(words: readonly string[]): NameParts {
  let end = 1
  while (end < words.length - 1 && PARTICLE.test(words[end - 1] ?? '')) end += 1
  while (end < words.length && SURNAME_SUFFIX.test(words[end] ?? '')) end += 1
  return { lastName: words.slice(0, end).join(' '), ...splitGiven(words.slice(end)) }
}

function fromGivenNames(words: readonly string[]): NameParts {
  const [first = '', second = ''] = words
  if (words.length < 2) return { firstName: first, lastName: '', patronymic: '' }
  if (words.length === 2 && OF_WOMEN.test(second)) return { firstName: first, lastName: '', patronymic: second }
  const start = surnameStart(words)
  return { ...splitGiven(words.slice(0, start)), lastName: words.slice(start).join(' ') }
}

/** Index of the first word of the surname of a name that begins with the given names. */
function surnameStart(words: readonly string[]): number {
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && PARTICLE.test(word))
  if (particle > 0) return particle
  const patronymic = words.findIndex((word, index) => index > 0 && index < words.length - 1 && isPatronymic(word))
  if (patronymic > 0) return patronymic + 1
  const hasSuffix = words.length > 2 && SURNAME_SUFFIX.test(words.at(-1) ?? '')
  return words.length - (hasSuffix ? 2 : 1)
}

/** Given names and patronymic, which is recognized by its ending. */
function splitGiven(words: readonly string[]): Omit<NameParts, 'lastName'> {
  const last = words.at(-1) ?? ''
  let given = words.length
  if (words.length > 2 && SON_OR_DAUGHTER.test(last)) given -= 2
  else if (words.length > 1 && (isPatronymic(last) || (INITIAL.test(last) && INITIAL.test(words.at(-2) ?? ''))))
    given -= 1
  return { firstName: words.slice(0, given).join(' '), patronymic: words.slice(given).join(' ') }
}

/** The words before and after a comma, which separates the surname: «Шевченко, Тарас». */
function splitAtComma(text: string): [string[], string[] | null] {
  const [before = '', ...after] = text.split(',').map(nameWords)
  const rest = after.flat()
  return before.length > 0 && rest.length > 0 ? [[...before], rest] : [[...before, ...rest], null]
}

// A double surname may be typed with spaces around its hyphen.
const nameWords = (text: string): string[] =>
  cleanName(text)
    .replace(/ [-\u2010-\u2013] /g, '-')
    .split(' ')
    .filter(Boolean)

/** Whether most names of a column begin with the surname; neither is assumed of names that do not tell. */
export function beginsWithSurname(names: readonly string[]): boolean {
  let balance = 0
  for (const name of names) {
    const [words, rest] = splitAtComma(name)
    const [first = '', second = ''] = words
    if (rest || words.length < 2) continue
    if (words.length > 2 && isPatronymic(words.at(-1) ?? '') && !isPatronymic(second)) balance += 1
    else if (words.length > 2 && isPatronymic(second)) balance -= 1
    else balance += Number(isGivenName(second)) - Number(isGivenName(first))
  }
  return balance > 0
}

const LIMIT = 80

/** A part of a name within its limit; `isCut` when it was longer. */
export function clipNamePart(part: string): { name: string; isCut: boolean } {
  const name = cleanName(part)
  return name.length > LIMIT ? { name: clipName(name, LIMIT), isCut: true } : { name, isCut: false }
}
