import { and, inArray } from 'drizzle-orm'
import { spendLetters } from '#lib/billing/daily-letters.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { canReach, mustReach } from '#lib/core/mail/reach.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mustManage } from '#lib/workshop/permission.ts'
import { type EventRow, loadEvent, sessionKey } from '../event.ts'
import { newJoinKey } from '../key.ts'
import { confirmRows } from '../own.ts'
import { AddRegistration, ImportRegistrations, MOST_IMPORTED } from '../schema.ts'
import { ofEvent } from '../seat.ts'
import { registration } from '../table.ts'
import { type ImportRow, readImportRows } from './import-lines.ts'

/** `later`: the school has sent its letters of the day, and the line was left out. */
export type Outcome = 'added' | 'confirmed' | 'known' | 'later'

/**
 * Registers somebody by the hand of staff: with a seat at once, whatever the form says, and the letter. Somebody who
 * waited or had canceled gets the seat; whoever has one keeps it. Refuses with forbidden, plan_inactive, not_found, invalid,
 * and with too_many when the school has sent its letters of the day.
 */
export async function addRegistration(
  actor: Actor,
  input: AddRegistration,
  now = new Date(),
): Promise<{ outcome: Outcome }> {
  const { workshopId, sessionId, ...person } = AddRegistration.parse(input)
  await mustReach(person.email)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const event = await loadEvent(tx, workshopId, sessionId)
    const outcomes = await seat(
      tx,
      event,
      [person],
      async (letters) => {
        await spendLetters(tx, actor, 'registrations', letters)
        return letters
      },
      now,
    )
    return { outcome: outcomes[0] ?? 'known' }
  })
}

export interface ImportedLine {
  line: number
  email: string
  outcome: Outcome | 'invalid' | 'twice'
}

/**
 * The same for many lines out of a spreadsheet, an exported file among them: whoever is new is entered in the state of
 * the file, with the answers and facts that it holds; without states everybody gets a seat. Who is registered already
 * gets a seat when the file says so or has no states, and is left alone otherwise. Only seats are told by mail; lines
 * that the school's letters of the day don't reach are left out (`resetsAt`: when there are more). Gives for each line
 * what became of it; a wrong line keeps none of the others back. Refuses as addRegistration, and with too_large above so
 * many lines.
 */
export function importRegistrations(
  actor: Actor,
  input: ImportRegistrations,
  now = new Date(),
): Promise<{ lines: ImportedLine[]; resetsAt: Date | null }> {
  const { workshopId, sessionId, text } = ImportRegistrations.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const event = await loadEvent(tx, workshopId, sessionId)
    const rows = readImportRows(text, event.settings.form.questions)
    if (rows.length > MOST_IMPORTED) throw new Refusal('too_large', { variables: { count: MOST_IMPORTED } })
    const seen = new Set<string>()
    const lines: ImportedLine[] = []
    const good: { at: number; person: Person }[] = []
    for (const { line, email, name, phone, ...facts } of rows) {
      const parsed = AddRegistration.safeParse({ workshopId, email, name, phone })
      const twice = parsed.success && seen.has(parsed.data.email)
      lines.push({ line, email, outcome: twice ? 'twice' : 'invalid' })
      if (!parsed.success || twice || !(await canReach(parsed.data.email))) continue
      seen.add(parsed.data.email)
      good.push({ at: lines.length - 1, person: { ...parsed.data, ...facts } })
    }
    let resetsAt: Date | null = null
    const grant = async (letters: number) => {
      const budget = await spendLetters(tx, actor, 'registrations', letters, { partly: true })
      if (budget.granted < letters) resetsAt = budget.resetsAt
      return budget.granted
    }
    const people = good.map(({ person }) => person)
    const outcomes = await seat(tx, event, people, grant, now)
    good.forEach(({ at }, index) => {
      const line = lines[at]
      if (line) line.outcome = outcomes[index] ?? 'known'
    })
    return { lines, resetsAt }
  })
}

type Person = Pick<ImportRow, 'email' | 'name' | 'phone'> & Partial<ImportRow>

/** Gives seats to as many as `grant` gives letters for, the first ones first. */
async function seat(
  tx: Tx,
  event: EventRow,
  people: Person[],
  grant: (letters: number) => Promise<number>,
  now: Date,
): Promise<Outcome[]> {
  if (people.length === 0) return []
  const emails = people.map(({ email }) => email)
  const known = await tx
    .select({ id: registration.id, email: registration.email, state: registration.state })
    .from(registration)
    .where(and(ofEvent(event), inArray(registration.email, emails)))
  const byEmail = new Map(known.map((row) => [row.email, row]))
  const told = people.filter(({ email, state }) => getsSeat(state) && byEmail.get(email)?.state !== 'confirmed')
  const granted = told.length === 0 ? 0 : await grant(told.length)
  const left = new Set(told.slice(granted).map(({ email }) => email))
  const entered = people.filter(({ email }) => !left.has(email))
  const seated = new Set(entered.filter(({ state }) => getsSeat(state)).map(({ email }) => email))
  const fresh = entered.filter(({ email }) => !byEmail.has(email))
  const added = await insert(tx, event, fresh, now)
  const waiting = known.filter(({ state }) => state !== 'confirmed')
  const confirmed = [...added, ...waiting].filter(({ email }) => seated.has(email)).map(({ id }) => id)
  await confirmRows(tx, event, confirmed, now)
  return people.map(({ email }) => {
    if (left.has(email)) return 'later'
    const before = byEmail.get(email)
    if (!before) return 'added'
    return before.state === 'confirmed' || !seated.has(email) ? 'known' : 'confirmed'
  })
}

const getsSeat = (state: Person['state']): boolean => (state ?? 'confirmed') === 'confirmed'

async function insert(tx: Tx, event: EventRow, people: Person[], now: Date): Promise<{ id: string; email: string }[]> {
  if (people.length === 0) return []
  const rows = people.map((person) => {
    const { key: _, ...link } = newJoinKey()
    return {
      ...link,
      tenantId: event.tenantId,
      id: newId(),
      workshopId: event.id,
      sessionId: sessionKey(event),
      email: person.email,
      name: person.name,
      phone: person.phone || null,
      locale: person.locale ?? event.language,
      timeZone: person.timeZone ?? event.timeZone,
      answers: person.answers ?? {},
      source: person.source ?? {},
      consentMarketingAt: person.marketing ? (person.registeredAt ?? now) : null,
      // A seat is given by confirmRows, which tells of it.
      state: getsSeat(person.state) ? ('pending' as const) : (person.state ?? 'pending'),
      canceledAt: person.state === 'canceled' ? now : null,
      createdAt: person.registeredAt ?? now,
      updatedAt: now,
    }
  })
  return tx
    .insert(registration)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: registration.id, email: registration.email })
}
