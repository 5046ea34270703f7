import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { queueMail } from '#lib/core/mail/mail.ts'
import type { RegistrationLetter } from '#lib/core/shared/event/live-event.ts'
import type { EventRow } from '../event.ts'
import { joinKeyOf } from '../key.ts'
import { type registration, registrationLetter } from '../table.ts'
import { composeFor, type Recipient, type Was } from './compose.ts'

export type RegistrationRow = typeof registration.$inferSelect

export interface Sending {
  was?: Was | null
  /** Letters of one act of staff: they leave a little later and can be recalled together until then. */
  batch?: { id: string; sendAfter: Date }
}

/**
 * Writes a letter to each of these registrants who has not had this kind for this schedule yet: whoever runs twice, or
 * at the same time, writes it once. In the surrounding transaction. Gives how many were written.
 */
export async function writeLetters(
  tx: Tx,
  event: EventRow,
  rows: RegistrationRow[],
  kind: RegistrationLetter,
  now: Date,
  { was = null, batch }: Sending = {},
): Promise<number> {
  if (rows.length === 0) return 0
  const about = { tenantId: event.tenantId, workshopId: event.id, sessionId: event.sessionId, kind }
  const told = await tx
    .insert(registrationLetter)
    .values(
      rows.map(({ id }) => ({
        ...about,
        id: newId(),
        registrationId: id,
        scheduleVersion: event.scheduleVersion,
        batchId: batch?.id ?? null,
        createdAt: now,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: registrationLetter.id, registrationId: registrationLetter.registrationId })
  const sent: [string, string][] = []
  for (const { id, registrationId } of told) {
    const row = rows.find((one) => one.id === registrationId)
    const mailId = row ? await post(event, row, kind, now, { was, ...(batch && { batch }) }) : null
    if (mailId) sent.push([id, mailId])
  }
  await noteMails(tx, sent)
  return told.length
}

/** Sends a letter that somebody has had before once more, e.g. because they registered again. */
export async function writeAgain(
  tx: Tx,
  event: EventRow,
  row: RegistrationRow,
  kind: RegistrationLetter,
  now: Date,
): Promise<void> {
  const mailId = await post(event, row, kind, now, {})
  if (!mailId) return
  await tx
    .update(registrationLetter)
    .set({ mailId, recalledAt: null })
    .where(and(letterOf(event, [row.id], kind), eq(registrationLetter.scheduleVersion, event.scheduleVersion)))
}

/** Forgets that these were told of something that has begun anew, e.g. a registration after a cancellation. */
export async function forgetLetters(
  tx: Tx,
  event: EventRow,
  registrationIds: string[],
  kinds: RegistrationLetter[],
): Promise<void> {
  for (const kind of kinds) await tx.delete(registrationLetter).where(letterOf(event, registrationIds, kind))
}

/** Whom a row's letters are for. */
export const recipientOf = (row: RegistrationRow): Recipient => ({ ...row, key: joinKeyOf(row) })

const letterOf = (event: EventRow, ids: string[], kind: RegistrationLetter): SQL | undefined =>
  and(
    eq(registrationLetter.workshopId, event.id),
    inArray(registrationLetter.registrationId, ids),
    eq(registrationLetter.kind, kind),
  )

function post(event: EventRow, row: RegistrationRow, kind: RegistrationLetter, now: Date, sending: Sending) {
  const { letter, ...rest } = composeFor(event, recipientOf(row), kind, now, sending.was)
  const { email: to, locale } = row
  const later = sending.batch ? { sendAfter: sending.batch.sendAfter } : {}
  return queueMail({ tenantId: event.tenantId, to, locale, letter, ...rest, ...later })
}

async function noteMails(tx: Tx, sent: [string, string][]): Promise<void> {
  if (sent.length === 0) return
  const values = sql.join(
    sent.map(([id, mailId]) => sql`(${id}::uuid, ${mailId}::uuid)`),
    sql`, `,
  )
  await tx.execute(sql`update registration_letter set mail_id = sent.mail_id from (values ${values}) sent (id, mail_id)
    where registration_letter.tenant_id = current_tenant() and registration_letter.id = sent.id`)
}
