import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { pageUrlOf } from '#lib/notification/compose.ts'
import { loadEmailSchool } from '#lib/notification/delivery/school.ts'
import type { Answered } from './answered.ts'

/** Why a reply was not posted. */
export type ReplyObstacle = 'empty' | 'long' | 'old' | 'plan' | 'closed'

/** Emails the sender of a reply why it was not posted, once. */
export function sendRefusal(tx: Tx, answered: Answered, reason: ReplyObstacle, messageId: string): Promise<void> {
  const t = getTranslator(answered.locale)
  const [heading, text] = [t('chat:reply.refused'), t(`chat:reply.reason.${reason}`)]
  return respond(tx, answered, { heading, text, onceKey: `chat/reply-refused/${messageId}` })
}

/** Emails the sender of a reply which attachments were not added, once. */
export function sendFileRefusal(
  tx: Tx,
  answered: Answered,
  names: readonly string[],
  messageId: string,
): Promise<void> {
  const t = getTranslator(answered.locale)
  const [heading, text] = [t('chat:reply.filesRefused'), t('chat:reply.filesReason', { names: names.join(', ') })]
  return respond(tx, answered, { heading, text, onceKey: `chat/reply-files/${messageId}` })
}

interface Response {
  heading: string
  text: string
  onceKey: string
}

async function respond(tx: Tx, answered: Answered, { heading, text, onceKey }: Response): Promise<void> {
  const school = await loadEmailSchool(tx)
  if (!school) return
  const { email, locale, accountType, conversationId } = answered
  const t = getTranslator(locale)
  await sendEmail({
    tenantId: school.tenantId,
    to: email,
    locale,
    subject: heading,
    body: composeEmail(t, {
      school: school.name,
      heading,
      paragraphs: [text],
      button: {
        label: t('chat:email.open'),
        href: pageUrlOf(school, accountType, `/chat?conversation=${conversationId}`),
      },
    }),
    onceKey,
  })
}
