import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { queueEmail } from '#lib/core/mail/mail.ts'
import { tenant } from '#lib/tenant/table.ts'
import { workshopEvent, workshopParticipant } from '#lib/workshop/session/event-table.ts'

export interface AnswerEmailInput {
  sessionId: string
  messageId: string
  personId: string
  /** Title of the event. */
  eventTitle: string
  text: string
  /** Name of the team member who answers. */
  authorName: string
}

/** Emails the answer to the participant who asked, in their language, once. Returns whether there was an address. */
export async function sendAnswerEmail(tx: Tx, tenantId: string, input: AnswerEmailInput): Promise<boolean> {
  const { sessionId, messageId, personId, eventTitle: title, text, authorName: by } = input
  const [recipient] = await tx
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
  if (!recipient?.email || !school) return false
  const t = getTranslator(recipient.locale)
  const names = { title, name: recipient.name, by }
  const body = composeEmail(t, {
    school: school.name,
    preheader: text.slice(0, 120),
    heading: t('autowebinar:email.heading', names),
    paragraphs: [
      t('autowebinar:email.hello', names),
      t('autowebinar:email.asked', { question: recipient.question }),
      text,
      t('autowebinar:email.by', names),
    ],
  })
  const subject = t('autowebinar:email.subject', names)
  const onceKey = `autowebinar/answer/${sessionId}/${messageId}`
  await queueEmail({ tenantId, to: recipient.email, locale: recipient.locale, subject, body, onceKey })
  return true
}
