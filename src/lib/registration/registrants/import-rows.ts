import { z } from 'zod'
import { readCsv } from '#lib/core/csv/csv.ts'
import { REGISTRATION_STATES, type RegistrationState } from '#lib/core/shared/event/live-event.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { FormQuestion } from '#lib/workshop/schema.ts'
import { type FormAnswers, OptionalTimeZone, RegistrationSource, readRegistrationAnswers } from '../schema.ts'
import { FACT_COLUMNS, type FactColumn, questionColumns, VALUE_SEPARATOR } from './csv-columns.ts'

export interface ImportRow {
  /** Line number in the file, from 1. */
  line: number
  email: string
  name: string
  phone: string
  /** Null: the file has no states, so everybody is confirmed. */
  state: RegistrationState | null
  registeredAt: Date | null
  locale: 'uk' | 'en' | undefined
  timeZone: string | undefined
  marketing: boolean
  source: Record<string, string>
  answers: FormAnswers
}

/**
 * Rows of a file or of pasted cells. With a heading, columns are found by name, as `exportRegistrations` writes them or
 * by common synonyms; without one the email column is detected. Invalid optional values are dropped, so that one
 * invalid cell does not prevent the registration.
 */
export function readImportRows(text: string, questions: readonly FormQuestion[]): ImportRow[] {
  const rows = readCsv(text).map((cells, index) => ({ cells: cells.map((cell) => cell.trim()), line: index + 1 }))
  const [first] = rows
  const heading = first && !first.cells.some((cell) => cell.includes('@')) ? first.cells : null
  if (!heading) return rows.map(({ cells, line }) => ({ ...NO_FACTS, line, ...guessContact(cells) }))
  const columns = findColumns(heading)
  const questionsOfFile = questionColumns(questions, []).map((column) => ({
    ...column,
    columnIndex: indexOf(heading, column.heading),
  }))
  const body = rows.slice(1)
  const states = body.map(({ cells }) => cells[columns.state] ?? '')
  const withStates = columns.state >= 0 && states.every((state) => state === '' || isState(state))
  return body.map(({ cells, line }) => {
    const cell = (column: FactColumn): string => cells[columns[column]] ?? ''
    const given: [string, string | string[]][] = questionsOfFile.flatMap(({ id, columnIndex, multiple }) => {
      const value = cells[columnIndex] ?? ''
      return value === '' ? [] : [[id, multiple ? value.split(VALUE_SEPARATOR) : value]]
    })
    return {
      line,
      email: cell('email'),
      name: cell('name'),
      phone: cell('phone'),
      state: withStates ? parseState(cell('state')) : null,
      registeredAt: parseInstant(cell('registered')),
      locale: Language.safeParse(cell('locale')).data,
      timeZone: OptionalTimeZone.safeParse(cell('timeZone') || undefined).data,
      marketing: cell('marketing') === 'yes',
      source: readSource(cell('source')),
      answers: readRegistrationAnswers(questions, Object.fromEntries(given)).answers,
    }
  })
}

const Language = z.enum(LOCALES)
const Instant = z.iso.datetime({ offset: true })

const NO_FACTS = {
  state: null,
  registeredAt: null,
  locale: undefined,
  timeZone: undefined,
  marketing: false,
  source: {},
  answers: {},
}

// Common headings of these columns besides those of an export; letters of «пошта», «ім’я», «ПІБ», «тел».
const HEADING_PATTERNS: Partial<Record<FactColumn, RegExp>> = {
  email: /mail|\u043f\u043e\u0448\u0442/,
  name: /name|\u0456\u043c|\u043f\u0456\u0431/,
  phone: /phone|\u0442\u0435\u043b/,
}

function findColumns(heading: readonly string[]): Record<FactColumn, number> {
  const exact = FACT_COLUMNS.map((column) => indexOf(heading, column))
  const find = (column: FactColumn): number => {
    const index = exact[FACT_COLUMNS.indexOf(column)] ?? -1
    const pattern = HEADING_PATTERNS[column]
    if (index >= 0 || !pattern) return index
    return heading.findIndex((cell, index) => !exact.includes(index) && pattern.test(cell.toLowerCase()))
  }
  return {
    email: find('email'),
    name: find('name'),
    phone: find('phone'),
    state: find('state'),
    registered: find('registered'),
    locale: find('locale'),
    timeZone: find('timeZone'),
    marketing: find('marketing'),
    source: find('source'),
  }
}

const indexOf = (heading: readonly string[], column: string): number =>
  heading.findIndex((cell) => cell.toLowerCase() === column.toLowerCase())

function guessContact(cells: readonly string[]): Pick<ImportRow, 'email' | 'name' | 'phone'> {
  const at = cells.findIndex((cell) => cell.includes('@'))
  const others = cells.filter((_, index) => index !== at)
  const phone = others.find((cell) => /^\+?[\d\s().-]{5,}$/.test(cell)) ?? ''
  const name = others.filter((cell) => cell !== phone && cell !== '').join(' ')
  return { email: cells[at] ?? cells[0] ?? '', name, phone }
}

const isState = (text: string): text is RegistrationState => (REGISTRATION_STATES as readonly string[]).includes(text)

const parseState = (text: string): RegistrationState | null => (isState(text) ? text : null)

function parseInstant(text: string): Date | null {
  const parsed = Instant.safeParse(text)
  return parsed.success ? new Date(parsed.data) : null
}

function readSource(text: string): Record<string, string> {
  const parts = text.split(VALUE_SEPARATOR).filter((part) => part.includes('='))
  const pairs = parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)])
  return parseStored(RegistrationSource, Object.fromEntries(pairs)) ?? {}
}
