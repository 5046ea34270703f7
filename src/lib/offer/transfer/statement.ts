import { createHash } from 'node:crypto'
import { readCsv } from '#lib/core/csv/csv.ts'
import { decodeTable } from '#lib/core/csv/decode.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseMoney } from '../money-rules.ts'

const MAX_LINES = 5000
/** Rows above the heading, e.g. with the name of the account. */
const MAX_PREAMBLE = 20

/** Money that was received, by a line of a bank statement. */
export interface StatementLine {
  /** The same for the same line of another file. */
  reference: string
  date: string
  /** Minor units. */
  amount: number
  payer: string
  purpose: string
  /** Numbers in the purpose that can be those of orders. */
  numbers: number[]
}

// The headings of the statements of Ukrainian banks, and English ones. The first pattern that matches a heading wins.
const COLUMNS = {
  amount: [/^(кредит|credit|надходження|зараховано)/i, /^(сума|amount)/i],
  purpose: [/призначення|purpose|reference/i, /деталі|details|опис|description/i],
  date: [/^(дата|date)/i],
  payer: [/^(назва |найменування )?(контрагент|кореспондент|платник|відправник)/i, /payer|counterparty|sender/i],
  document: [/^(номер документа|№ документа|document)/i],
  currency: [/^(валюта|currency)/i],
} as const

type Columns = Partial<Record<keyof typeof COLUMNS, number>>

/**
 * The lines of a statement (CSV, with any order of columns) that say what was received in hryvnias. Task of a worker
 * process. Refuses with unprocessable (statement_format) without columns for amount and purpose, (too_many_rows).
 */
export function parseStatement({ bytes }: { bytes: Uint8Array }): StatementLine[] {
  const text = decodeTable(bytes)
  const rows = text === null ? [] : readCsv(text, { maxRows: MAX_LINES + MAX_PREAMBLE + 2 })
  const headingAt = rows.slice(0, MAX_PREAMBLE).findIndex((row) => {
    const { amount, purpose } = findColumns(row)
    return amount !== undefined && purpose !== undefined
  })
  if (headingAt < 0) throw new Refusal('unprocessable', { fields: { file: ['statement_format'] } })
  const body = rows.slice(headingAt + 1)
  if (body.length > MAX_LINES) throw new Refusal('unprocessable', { fields: { file: ['statement_rows'] } })
  const columns = findColumns(rows[headingAt] ?? [])
  const seen = new Map<string, number>()
  return body.flatMap((row) => {
    const cell = (name: keyof Columns) => (row[columns[name] ?? -1] ?? '').trim()
    const amount = parseReceived(cell('amount'))
    if (!amount || !/^(uah|грн|980)?\.?$/i.test(cell('currency'))) return []
    const [date, payer, purpose] = [cell('date'), cell('payer'), cell('purpose')]
    const content = JSON.stringify([date, amount, payer, purpose, cell('document')])
    // Two equal lines of a file are two transfers.
    const count = (seen.get(content) ?? 0) + 1
    seen.set(content, count)
    const reference = createHash('sha256').update(`${content} ${count}`).digest('base64url')
    return [{ reference, date, amount, payer, purpose, numbers: numbersOf(purpose) }]
  })
}

function findColumns(heading: readonly string[]): Columns {
  const cells = heading.map((cell) => cell.trim())
  return Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([name, patterns]) => {
      const found = patterns.map((pattern) => cells.findIndex((cell) => pattern.test(cell))).find((at) => at >= 0)
      return found === undefined ? [] : [[name, found]]
    }),
  )
}

// «1 500,00», «1,500.00», «+1500». What was paid out has a minus.
function parseReceived(typed: string): number | null {
  const plain = typed.replace(/[\s'’]/g, '').replace(/^\+/, '')
  const decimalAt = Math.max(plain.lastIndexOf(','), plain.lastIndexOf('.'))
  const fraction = plain.length - decimalAt - 1
  const isDecimal = decimalAt >= 0 && fraction <= 2
  const whole = (isDecimal ? plain.slice(0, decimalAt) : plain).replace(/[.,]/g, '')
  return parseMoney(isDecimal && fraction > 0 ? `${whole}.${plain.slice(decimalAt + 1)}` : whole)
}

const LABELED = /(?:№|#|замовлення|замовленням|рахунку|рахунком|рахунок|order|invoice|no\.?)\s?(\d{1,9})(?!\d)/giu
const UNLABELED = /(?<![\d.,/])\d{1,9}(?![\d.,/]?\d)/gu

// «№ 12» names an order; without such a sign every number can be one.
function numbersOf(purpose: string): number[] {
  const labeled = [...purpose.matchAll(LABELED)].map(([, number]) => Number(number))
  const all = labeled.length > 0 ? labeled : [...purpose.matchAll(UNLABELED)].map(([number]) => Number(number))
  return [...new Set(all)].filter((number) => number > 0 && number < 2 ** 31).slice(0, 20)
}
