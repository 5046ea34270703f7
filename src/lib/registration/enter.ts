import { and, inArray } from 'drizzle-orm'
import Papa from 'papaparse'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mustManage } from '#lib/workshop/workshop.ts'
import { type EventRow, loadEvent, sessionKey } from './event.ts'
import { newJoinKey } from './key.ts'
import { confirmRows } from './own.ts'
import { AddRegistration, ImportRegistrations, MOST_IMPORTED } from './schema.ts'
import { ofEvent } from './seat.ts'
import { registration } from './table.ts'

export type Outcome = 'added' | 'confirmed' | 'known'

/**
 * Registers somebody by the hand of staff: with a seat at once, whatever the form says, and the letter. Somebody who
 * waited or had canceled gets the seat; whoever has one keeps it. Refuses with forbidden, plan_inactive, not_found, invalid.
 */
export function addRegistration(actor: Actor, input: AddRegistration, now = new Date()): Promise<{ outcome: Outcome }> {
  const { workshopId, sessionId, ...person } = AddRegistration.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const event = await loadEvent(tx, workshopId, sessionId)
    const outcomes = await seat(tx, event, [person], now)
    return { outcome: outcomes[0] ?? 'known' }
  })
}

export interface ImportedLine {
  line: number
  email: string
  outcome: Outcome | 'invalid' | 'twice'
}

/**
 * The same for many lines out of a spreadsheet: e-mail, name, phone, in the order of their heading or in this one. Tells
 * of each line what became of it; a line that is wrong keeps none of the others back. Refuses as addRegistration, and
 * with too_large above so many lines.
 */
export function importRegistrations(
  actor: Actor,
  input: ImportRegistrations,
  now = new Date(),
): Promise<{ lines: ImportedLine[] }> {
  const { workshopId, sessionId, text } = ImportRegistrations.parse(input)
  const rows = readLines(text)
  if (rows.length > MOST_IMPORTED) throw new Refusal('too_large', { variables: { count: MOST_IMPORTED } })
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const event = await loadEvent(tx, workshopId, sessionId)
    const seen = new Set<string>()
    const lines: ImportedLine[] = []
    const good: { at: number; person: Person }[] = []
    for (const { line, email, name, phone } of rows) {
      const parsed = AddRegistration.safeParse({ workshopId, email, name, phone })
      const twice = parsed.success && seen.has(parsed.data.email)
      lines.push({ line, email, outcome: twice ? 'twice' : 'invalid' })
      if (!parsed.success || twice) continue
      seen.add(parsed.data.email)
      good.push({ at: lines.length - 1, person: parsed.data })
    }
    const outcomes = await seat(
      tx,
      event,
      good.map(({ person }) => person),
      now,
    )
    good.forEach(({ at }, index) => {
      const line = lines[at]
      if (line) line.outcome = outcomes[index] ?? 'known'
    })
    return { lines }
  })
}

interface Person {
  email: string
  name: string
  phone: string
  locale?: 'uk' | 'en' | undefined
}

async function seat(tx: Tx, event: EventRow, people: Person[], now: Date): Promise<Outcome[]> {
  if (people.length === 0) return []
  const emails = people.map(({ email }) => email)
  const known = await tx
    .select({ id: registration.id, email: registration.email, state: registration.state })
    .from(registration)
    .where(and(ofEvent(event), inArray(registration.email, emails)))
  const byEmail = new Map(known.map((row) => [row.email, row]))
  const fresh = people.filter(({ email }) => !byEmail.has(email))
  const added = await insert(tx, event, fresh, now)
  const waiting = known.filter(({ state }) => state !== 'confirmed')
  await confirmRows(tx, event, [...added, ...waiting.map(({ id }) => id)], now)
  return people.map(({ email }) => {
    const before = byEmail.get(email)
    if (!before) return 'added'
    return before.state === 'confirmed' ? 'known' : 'confirmed'
  })
}

async function insert(tx: Tx, event: EventRow, people: Person[], now: Date): Promise<string[]> {
  if (people.length === 0) return []
  const rows = people.map(({ email, name, phone, locale }) => {
    const { key: _, ...link } = newJoinKey()
    return {
      ...{ ...link, tenantId: event.tenantId, id: newId(), workshopId: event.id, sessionId: sessionKey(event) },
      ...{ email, name, phone: phone || null, locale: locale ?? event.language, timeZone: event.timeZone },
      ...{ state: 'pending' as const, createdAt: now, updatedAt: now },
    }
  })
  const made = await tx.insert(registration).values(rows).onConflictDoNothing().returning({ id: registration.id })
  return made.map(({ id }) => id)
}

interface Line {
  line: number
  email: string
  name: string
  phone: string
}

/** Lines of a table that was pasted, by commas, semicolons or tabs; an address stands where one looks like an address. */
function readLines(text: string): Line[] {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' })
  const numbered = data.map((cells, index) => ({ cells: cells.map((cell) => cell.trim()), line: index + 1 }))
  const [first] = numbered
  const heading = first && !first.cells.some((cell) => cell.includes('@'))
  const columns = heading ? columnsOf(first.cells) : null
  return numbered.slice(heading ? 1 : 0).map(({ cells, line }) => {
    if (columns)
      return {
        line,
        email: cells[columns.email] ?? '',
        name: cells[columns.name] ?? '',
        phone: cells[columns.phone] ?? '',
      }
    const at = cells.findIndex((cell) => cell.includes('@'))
    const others = cells.filter((_, index) => index !== at)
    const phone = others.find((cell) => /^\+?[\d\s().-]{5,}$/.test(cell)) ?? ''
    const name = others.filter((cell) => cell !== phone && cell !== '').join(' ')
    return { line, email: cells[at] ?? cells[0] ?? '', name, phone }
  })
}

function columnsOf(heading: string[]): { email: number; name: number; phone: number } {
  const find = (pattern: RegExp) => heading.findIndex((cell) => pattern.test(cell.toLowerCase()))
  return {
    email: find(/mail|\u043f\u043e\u0448\u0442/),
    name: find(/name|\u0456\u043c|\u043f\u0456\u0431/),
    phone: find(/phone|\u0442\u0435\u043b/),
  }
}
