import { and, desc, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { queueMail, recallMail } from '#lib/core/mail/mail.ts'
import { mail } from '#lib/core/mail/table.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RegistrationLetter } from '#lib/core/shared/event/live-event.ts'
import { mustManage } from '#lib/workshop/permission.ts'
import { LETTER_KINDS, type LetterKind, LetterSetting } from '#lib/workshop/schema.ts'
import { saveSettings } from '#lib/workshop/settings/save.ts'
import { type EventRow, eventStatus, loadEvent } from '../event.ts'
import { mustKnowPeople } from '../permission.ts'
import {
  ListLetters,
  PreviewLetter,
  RECALL_SECONDS,
  RecallLetters,
  SaveLetters,
  SendTest,
  WorkshopOf,
} from '../schema.ts'
import { registration, registrationLetter } from '../table.ts'
import { composeFor, type Recipient } from './compose.ts'
import { concerned } from './remind.ts'
import { dueOf, type LadderKind } from './rules.ts'

export interface Rung {
  kind: LetterKind
  setting: LetterSetting
  /** When it leaves by itself; null: it answers an act, or nobody knows yet. */
  dueAt: Date | null
  /** Too late for it: what was not sent is not sent any more. */
  past: boolean
  /** How many have it, how many of those could not be delivered, and how many are to get it. */
  sent: number
  failed: number
  planned: number
}

export interface Ladder {
  rungs: Rung[]
  startAt: Date | null
  timeZone: string
  /** The event did not take place, and nobody has been told yet. */
  owesApology: boolean
}

/** The letters of an event: what is sent, in which words, to how many and when. Refuses with forbidden, not_found. */
export function getLadder(actor: Actor, input: { workshopId: string }, now = new Date()): Promise<Ladder> {
  const { workshopId } = WorkshopOf.parse(input)
  return inTenant(actor, async (tx) => {
    await mustKnowPeople(tx, actor, workshopId)
    const event = await loadEvent(tx, workshopId)
    const sent = await sentByKind(tx, event)
    const kinds = event.type === 'masterclass' ? (['confirmed'] as const) : LETTER_KINDS
    const rungs: Rung[] = []
    for (const kind of kinds) {
      const setting = event.settings.letters[kind] ?? LetterSetting.parse({})
      const due = kind === 'confirmed' ? null : dueOf(kind, event)
      const past = due !== null && due.until <= now
      const counts = sent.get(kind) ?? { sent: 0, failed: 0 }
      const open = kind !== 'confirmed' && setting.on && !past && due !== null
      const all = open ? await countConcerned(tx, event, kind) : 0
      rungs.push({ kind, setting, dueAt: due?.from ?? null, past, ...counts, planned: Math.max(0, all - counts.sent) })
    }
    const owesApology = eventStatus(event, now) === 'expired' && !event.canceled && !sent.has('apology')
    return { rungs, startAt: event.startAt, timeZone: event.timeZone, owesApology }
  })
}

export interface SentLetter {
  id: string
  kind: RegistrationLetter
  name: string
  email: string
  registrationId: string
  subject: string | null
  state: 'queued' | 'sent' | 'failed' | 'recalled'
  error: string | null
  at: Date
  sentAt: Date | null
  /** Can be recalled with the others of its act until then. */
  batchId: string | null
  recallUntil: Date | null
}

/** What was written to the registrants of an event, the newest first. Refuses with forbidden, not_found, invalid. */
export function listLetters(
  actor: Actor,
  input: ListLetters,
  now = new Date(),
): Promise<{ items: SentLetter[]; next: string | null }> {
  const { workshopId, cursor } = ListLetters.parse(input)
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    await mustKnowPeople(tx, actor, workshopId)
    const older = after
      ? sql`(${registrationLetter.createdAt}, ${registrationLetter.id}) <
          ('epoch'::timestamptz + ${after.at}::bigint * interval '1 microsecond', ${after.id}::uuid)`
      : undefined
    const rows = await tx
      .select({
        id: registrationLetter.id,
        kind: registrationLetter.kind,
        at: registrationLetter.createdAt,
        name: registration.name,
        email: registration.email,
        registrationId: registration.id,
        subject: mail.subject,
        state: mail.status,
        error: mail.error,
        sentAt: mail.sentAt,
        batchId: registrationLetter.batchId,
        sendAfter: mail.sendAfter,
        micros: sql<string>`(extract(epoch from ${registrationLetter.createdAt}) * 1000000)::bigint::text`,
      })
      .from(registrationLetter)
      .innerJoin(
        registration,
        and(
          eq(registration.tenantId, registrationLetter.tenantId),
          eq(registration.id, registrationLetter.registrationId),
        ),
      )
      .leftJoin(mail, eq(mail.id, registrationLetter.mailId))
      .where(and(eq(registrationLetter.workshopId, workshopId), older))
      .orderBy(desc(registrationLetter.createdAt), desc(registrationLetter.id))
      .limit(PAGE + 1)
    const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
    const items = rows.slice(0, PAGE).map(({ micros: _, sendAfter, state, ...row }) => ({
      ...row,
      state: state ?? ('queued' as const),
      recallUntil: state === 'queued' && sendAfter && sendAfter > now ? sendAfter : null,
    }))
    return { items, next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null }
  })
}

const PAGE = 50

/** Takes back what a bulk act wrote and has not left yet. Gives how many. Refuses as mustManage, and with not_found. */
export function recallLetters(actor: Actor, input: RecallLetters, now = new Date()): Promise<{ recalled: number }> {
  const { workshopId, batchId } = RecallLetters.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const ours = and(eq(registrationLetter.workshopId, workshopId), eq(registrationLetter.batchId, batchId))
    const rows = await tx.select({ mailId: registrationLetter.mailId }).from(registrationLetter).where(ours)
    if (rows.length === 0) throw new Refusal('not_found')
    const recalled = await recallMail(
      tx,
      rows.flatMap(({ mailId }) => mailId ?? []),
    )
    if (recalled.length > 0) {
      const which = sql`${registrationLetter.mailId} = any(${sql.param(recalled)}::uuid[])`
      await tx.update(registrationLetter).set({ recalledAt: now }).where(and(ours, which))
    }
    return { recalled: recalled.length }
  })
}

/** Turns letters of the ladder on and off and keeps the school's own words. Refuses as saveSettings of the workshop room. */
export async function saveLetters(actor: Actor, input: SaveLetters): Promise<void> {
  const { workshopId, letters } = SaveLetters.parse(input)
  const before = await inTenant(actor, (tx) => loadEvent(tx, workshopId))
  await saveSettings(actor, { workshopId, settings: { letters: { ...before.settings.letters, ...letters } } })
}

export interface Preview {
  subject: string
  html: string
  text: string
}

/** A letter as somebody in that language would get it. Refuses with forbidden, not_found. */
export function previewLetter(actor: Actor, input: PreviewLetter, now = new Date()): Promise<Preview> {
  const { workshopId, kind, locale } = PreviewLetter.parse(input)
  return inTenant(actor, async (tx) => {
    await mustKnowPeople(tx, actor, workshopId)
    const event = await loadEvent(tx, workshopId)
    const { subject, letter } = composeFor(event, sampleOf(actor, event, locale), kind, now)
    return { subject, ...letter }
  })
}

/** Sends the ladder, or one letter of it, to whoever asks, in their language. Gives how many. Refuses as mustManage. */
export function sendTestLetters(actor: Actor, input: SendTest, now = new Date()): Promise<{ sent: number }> {
  const { workshopId, kind: only } = SendTest.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const event = await loadEvent(tx, workshopId)
    const kinds = only ? [only] : LETTER_KINDS.filter((kind) => event.settings.letters[kind]?.on !== false)
    for (const kind of kinds) {
      const { unsubscribe: _, ...composed } = composeFor(event, sampleOf(actor, event, actor.locale), kind, now)
      const { tenantId, email: to, locale } = actor
      await queueMail({ tenantId, to, locale, ...composed })
    }
    return { sent: kinds.length }
  })
}

/** Seconds that a bulk act can be taken back. */
export { RECALL_SECONDS }

// A registration that nobody made: its link leads to a refusal in words.
function sampleOf(actor: Actor, event: EventRow, locale: 'uk' | 'en'): Recipient {
  const name = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  const begun = event.startedAt ?? event.startAt
  return {
    id: event.id,
    email: actor.email,
    name,
    locale,
    timeZone: actor.timeZone,
    state: 'confirmed',
    icsSequence: 0,
    offeredUntil: null,
    key: 'A'.repeat(24),
    lastSeenAt: begun ? new Date(begun.getTime() + 34 * 60_000) : null,
  }
}

async function sentByKind(tx: Tx, event: EventRow) {
  const { rows } = await tx.execute<{ kind: RegistrationLetter; sent: number; failed: number }>(sql`
    select l.kind, count(*)::int as sent, count(*) filter (where m.status = 'failed')::int as failed
    from registration_letter l left join mail m on m.id = l.mail_id
    where l.tenant_id = current_tenant() and l.workshop_id = ${event.id} and l.schedule_version = ${event.scheduleVersion}
      and l.recalled_at is null
    group by l.kind`)
  return new Map(rows.map(({ kind, sent, failed }) => [kind as string, { sent, failed }]))
}

async function countConcerned(tx: Tx, event: EventRow, kind: LadderKind): Promise<number> {
  const { rows } = await tx.execute<{ number: number }>(
    sql`select count(*)::int as number from ${registration} where ${concerned(event, kind)}`,
  )
  return rows[0]?.number ?? 0
}
