import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import { composeLetter } from '#lib/core/mail/letter.ts'
import { queueMail } from '#lib/core/mail/mail.ts'
import { tenant } from '#lib/tenant/table.ts'
import { workshopEvent, workshopParticipant } from '#lib/workshop/session/event-table.ts'

export interface Answered {
  sessionId: string
  messageId: string
  personId: string
  /** Of the event. */
  title: string
  text: string
  /** Who answers. */
  by: string
}

/** Sends the answer to whoever asked, in their language, once. Says whether there was an address to send it to. */
export async function sendAnswer(tx: Tx, tenantId: string, answered: Answered): Promise<boolean> {
  const { sessionId, messageId, personId, title, text, by } = answered
  const [asker] = await tx
    .select({
      email: workshopParticipant.email,
      locale: workshopParticipant.locale,
      name: workshopParticipant.name,
      question: sql<string>`${workshopEvent.payload}->>'text'`,
    })
    .from(workshopParticipant)
    .innerJoin(
      workshopEvent,
      and(
        eq(workshopEvent.sessionId, sessionId),
        eq(workshopEvent.actorId, workshopParticipant.id),
        inArray(workshopEvent.type, ['question', 'message']),
        sql`${workshopEvent.payload}->>'messageId' = ${messageId}`,
      ),
    )
    .where(eq(workshopParticipant.id, personId))
  const [school] = await tx.select({ name: tenant.name }).from(tenant).where(eq(tenant.id, tenantId))
  if (!asker?.email || !school) return false
  const t = translator(asker.locale)
  const names = { title, name: asker.name, by }
  const letter = composeLetter(t, {
    school: school.name,
    preheader: text.slice(0, 120),
    heading: t('autowebinar:letter.heading', names),
    paragraphs: [
      t('autowebinar:letter.hello', names),
      t('autowebinar:letter.asked', { question: asker.question }),
      text,
      t('autowebinar:letter.by', names),
    ],
  })
  const subject = t('autowebinar:letter.subject', names)
  const onceKey = `autowebinar/answer/${sessionId}/${messageId}`
  await queueMail({ tenantId, to: asker.email, locale: asker.locale, subject, letter, onceKey })
  return true
}
