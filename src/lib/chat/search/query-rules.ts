import { parseDateInput } from '#lib/core/shared/text/date-input.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'

/** What messages can be searched for by `has:`. */
export const SEARCHED_PARTS = ['link', 'file', 'voice'] as const
export type SearchedPart = (typeof SEARCHED_PARTS)[number]

/** A search in messages, as it was typed: words, and operators with their values. */
export interface MessageQuery {
  words: string[]
  /** Part of the name of an author; `me` is the reader. */
  from: string | null
  /** Part of the title of a conversation. */
  in: string | null
  has: SearchedPart[]
  /** The day before which, and after which, a message was sent: `2026-11-24` in the zone of the reader. */
  before: string | null
  after: string | null
  /** Operators whose value cannot be read. */
  wrong: string[]
}

const MAX_WORDS = 8

/** The names of the operators, in both languages. */
const OPERATORS: Record<string, 'from' | 'in' | 'has' | 'before' | 'after'> = {
  from: 'from',
  від: 'from',
  in: 'in',
  в: 'in',
  у: 'in',
  has: 'has',
  має: 'has',
  before: 'before',
  до: 'before',
  after: 'after',
  після: 'after',
}

const PARTS: Record<string, SearchedPart> = {
  link: 'link',
  links: 'link',
  посилання: 'link',
  file: 'file',
  files: 'file',
  файл: 'file',
  файли: 'file',
  voice: 'voice',
  голос: 'voice',
  голосове: 'voice',
}

/** Parses a search: words and `operator:value`, where a value in quotation marks may contain spaces. */
export function parseMessageQuery(text: string, { timeZone, now }: { timeZone: string; now: Date }): MessageQuery {
  const query: MessageQuery = { words: [], from: null, in: null, has: [], before: null, after: null, wrong: [] }
  for (const term of splitTerms(text)) {
    const colon = term.indexOf(':')
    const operator = colon > 0 ? OPERATORS[term.slice(0, colon).toLowerCase()] : undefined
    if (operator) apply(query, operator, unquoted(term.slice(colon + 1)), localDay(now, timeZone))
    else query.words.push(unquoted(term))
  }
  query.words = query.words.filter((word) => word !== '').slice(0, MAX_WORDS)
  return query
}

/** Why a search cannot be run, as the key of a message: a value cannot be read, or there is nothing to look for. */
export function problemOfQuery(query: MessageQuery): 'search_value' | 'search_words' | null {
  if (query.wrong.length > 0) return 'search_value'
  return query.words.length === 0 && query.from === null && query.has.length === 0 ? 'search_words' : null
}

function apply(
  query: MessageQuery,
  operator: 'from' | 'in' | 'has' | 'before' | 'after',
  value: string,
  today: string,
) {
  if (value === '') query.wrong.push(`${operator}:`)
  else if (operator === 'from' || operator === 'in') query[operator] = value
  else if (operator === 'has') {
    const part = PARTS[value.toLowerCase()]
    if (part) query.has.push(part)
    else query.wrong.push(`${operator}:${value}`)
  } else {
    const day = pastDay(value, today)
    if (day) query[operator] = day
    else query.wrong.push(`${operator}:${value}`)
  }
}

/** A day; without a year the latest one that is not in the future. */
function pastDay(value: string, today: string): string | null {
  const day = parseDateInput('date', value, today)
  if (!day || day <= today || /\d{4}/.test(value)) return day
  const year = Number(day.slice(0, 4)) - 1
  return parseDateInput('date', `${year}${day.slice(4)}`, today)
}

/** Splits at spaces outside of quotation marks. */
function splitTerms(text: string): string[] {
  const terms: string[] = []
  let term = ''
  let isQuoted = false
  for (const character of text) {
    if ('"«»“”'.includes(character)) isQuoted = !isQuoted
    if (/\s/.test(character) && !isQuoted) {
      if (term !== '') terms.push(term)
      term = ''
    } else term += character
  }
  return term === '' ? terms : [...terms, term]
}

const unquoted = (value: string): string => value.replace(/["«»“”]/g, '').trim()
