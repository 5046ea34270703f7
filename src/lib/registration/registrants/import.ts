import { and, inArray } from 'drizzle-orm'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { canDeliverTo, requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireManagedWorkshop } from '#lib/workshop/permission.ts'
import type { SendOptions } from '../email/send.ts'
import { type RegistrationEvent, registrationSessionId, requireEvent } from '../event.ts'
import { createJoinKey } from '../join-key.ts'
import { confirmRegistrations } from '../own-registration.ts'
import { AddRegistration, type ImportRegistrations, MAX_IMPORTED } from '../schema.ts'
import { isOfEvent } from '../seat.ts'
import { registration } from '../table.ts'
import { type ImportRow, readImportRows } from './import-rows.ts'

/** `later`: the tenant's daily email limit is reached, and the row was skipped. */
export type RegistrationImportOutcome = 'added' | 'confirmed' | 'known' | 'later'

/**
 * Registers a person by staff: confirmed immediately, regardless of the form, with the email. A waiting or canceled
 * registration is confirmed; a confirmed one is not changed. Refuses with forbidden, plan_inactive, not_found, invalid,
 * and with too_many when the daily email limit is reached.
 */
export async function addRegistration(
  actor: Actor,
  input: AddRegistration,
  now = new Date(),
): Promise<{ outcome: RegistrationImportOutcome }> {
  const { workshopId, sessionId, ...registrant } = input
  await requireDeliverable(registrant.email)
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const event = await requireEvent(tx, workshopId, sessionId)
    const outcomes = await registerAll(
      tx,
      event,
      [registrant],
      async (emailCount) => {
        await spendDailyEmails(tx, actor, 'registrations', emailCount)
        return emailCount
      },
      now,
    )
    return { outcome: outcomes[0] ?? 'known' }
  })
}

export interface ImportedLine {
  line: number
  email: string
  outcome: RegistrationImportOutcome | 'invalid' | 'twice'
}

/**
 * The same for many rows of a spreadsheet or an exported file: new registrants get the state, answers and fields of the
 * file; without states everybody is confirmed. Known registrants are confirmed when the file contains this state or no
 * states, otherwise unchanged. Only confirmations are emailed; rows beyond the daily email limit are skipped
 * (`resetsAt`: when it resets). Returns an outcome per row; invalid rows do not block others. Refuses like
 * addRegistration, and with too_large above the maximum of rows.
 */
export function importRegistrations(
  actor: Actor,
  input: ImportRegistrations,
  now = new Date(),
): Promise<{ lines: ImportedLine[]; resetsAt: Date | null }> {
  const { workshopId, sessionId, text } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const event = await requireEvent(tx, workshopId, sessionId)
    const rows = readImportRows(text, event.settings.form.questions)
    if (rows.length > MAX_IMPORTED) throw new Refusal('too_large', { variables: { count: MAX_IMPORTED } })
    const seen = new Set<string>()
    const lines: ImportedLine[] = []
    const good: { at: number; person: NewRegistrant }[] = []
    for (const { line, email, name, phone, ...facts } of rows) {
      const parsed = AddRegistration.safeParse({ workshopId, email, name, phone })
      const twice = parsed.success && seen.has(parsed.data.email)
      lines.push({ line, email, outcome: twice ? 'twice' : 'invalid' })
      if (!parsed.success || twice || !(await canDeliverTo(parsed.data.email))) continue
      seen.add(parsed.data.email)
      good.push({ at: lines.length - 1, person: { ...parsed.data, ...facts } })
    }
    let resetsAt: Date | null = null
    const grant = async (emailCount: number) => {
      const budget = await spendDailyEmails(tx, actor, 'registrations', emailCount, { allowsPartial: true })
      if (budget.granted < emailCount) resetsAt = budget.resetsAt
      return budget.granted
    }
    const people = good.map(({ person }) => person)
    const outcomes = await registerAll(tx, event, people, grant, now)
    good.forEach(({ at }, index) => {
      const line = lines[at]
      if (line) line.outcome = outcomes[index] ?? 'known'
    })
    return { lines, resetsAt }
  })
}

type NewRegistrant = Pick<ImportRow, 'email' | 'name' | 'phone'> & Partial<ImportRow>

/** Confirms as many as `grant` allows emails, in order. */
export async function registerAll(
  tx: Tx,
  event: RegistrationEvent,
  people: NewRegistrant[],
  grant: (emailCount: number) => Promise<number>,
  now: Date,
  options: Pick<SendOptions, 'isFollowUp'> = {},
): Promise<RegistrationImportOutcome[]> {
  if (people.length === 0) return []
  const emails = people.map(({ email }) => email)
  const known = await tx
    .select({ id: registration.id, email: registration.email, state: registration.state })
    .from(registration)
    .where(and(isOfEvent(event), inArray(registration.email, emails)))
  const byEmail = new Map(known.map((row) => [row.email, row]))
  const toConfirm = people.filter(
    ({ email, state }) => isConfirmedState(state) && byEmail.get(email)?.state !== 'confirmed',
  )
  const granted = toConfirm.length === 0 ? 0 : await grant(toConfirm.length)
  const postponed = new Set(toConfirm.slice(granted).map(({ email }) => email))
  const processed = people.filter(({ email }) => !postponed.has(email))
  const seated = new Set(processed.filter(({ state }) => isConfirmedState(state)).map(({ email }) => email))
  const newRegistrants = processed.filter(({ email }) => !byEmail.has(email))
  const added = await insertRegistrations(tx, event, newRegistrants, now)
  const waiting = known.filter(({ state }) => state !== 'confirmed')
  const confirmed = [...added, ...waiting].filter(({ email }) => seated.has(email)).map(({ id }) => id)
  await confirmRegistrations(tx, event, confirmed, now, options)
  return people.map(({ email }) => {
    if (postponed.has(email)) return 'later'
    const before = byEmail.get(email)
    if (!before) return 'added'
    return before.state === 'confirmed' || !seated.has(email) ? 'known' : 'confirmed'
  })
}

const isConfirmedState = (state: NewRegistrant['state']): boolean => (state ?? 'confirmed') === 'confirmed'

async function insertRegistrations(
  tx: Tx,
  event: RegistrationEvent,
  people: NewRegistrant[],
  now: Date,
): Promise<{ id: string; email: string }[]> {
  if (people.length === 0) return []
  const rows = people.map((person) => {
    const { key: _, ...link } = createJoinKey()
    return {
      ...link,
      tenantId: event.tenantId,
      id: newId(),
      workshopId: event.id,
      sessionId: registrationSessionId(event),
      email: person.email,
      name: person.name,
      phone: person.phone || null,
      locale: person.locale ?? event.language,
      timeZone: person.timeZone ?? event.timeZone,
      answers: person.answers ?? {},
      source: person.source ?? {},
      consentMarketingAt: person.marketing ? (person.registeredAt ?? now) : null,
      // Confirmed by confirmRegistrations, which sends the email.
      state: isConfirmedState(person.state) ? ('pending' as const) : (person.state ?? 'pending'),
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
