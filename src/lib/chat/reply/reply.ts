import { and, eq, sql } from 'drizzle-orm'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { derivedId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { findRepliedMail } from '#lib/core/mail/reply-address.ts'
import { mail } from '#lib/core/mail/table.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type AccountType, effectiveRoles, type Role } from '#lib/core/shared/role.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { pageUrlOf } from '#lib/notification/compose.ts'
import { loadEmailSchool } from '#lib/notification/delivery/school.ts'
import { findTenantIds } from '#lib/tenant/tenant.ts'
import { membership, user } from '#lib/user/table.ts'
import { markConversationRead } from '../message/read.ts'
import { postMessage } from '../message/send.ts'
import { readUnreadEmailKey } from '../notify-members/unread-email.ts'
import { MESSAGE_LIMIT } from '../schema.ts'
import type { ParsedReply, parseReply } from './worker.ts'

/** With attachments, which are ignored. */
const MAX_REPLY_BYTES = 1_000_000
/** Replies of one member by email. */
const REPLY_LIMIT = { limit: 30, windowSeconds: HOUR_SECONDS }
const REPLY_DAYS = 30

const parseInWorker = workerTask<typeof parseReply>({
  file: 'src/lib/chat/reply/worker.ts',
  name: 'parseReply',
  lane: 'request',
  limitMs: 5000,
  field: 'reply',
})

/**
 * Posts a reply to an email about unread messages in its conversation, as its receiver. The address of the reply has a
 * signed token of the email, and its sender must be the receiver of the email. The same Message-ID again is the same
 * message. Replies of others, automatic ones and those to unknown addresses are ignored; one that cannot be posted is
 * refused by an email to its sender. Refuses with too_large, unprocessable (parse_too_complex), too_many.
 */
export async function receiveReply(raw: string, now = new Date()): Promise<void> {
  if (raw.length > MAX_REPLY_BYTES) throw new Refusal('too_large')
  const reply = await parseInWorker(raw)
  const found = findRepliedMail(reply.addresses)
  if (!found?.tenantPrefix || reply.isAutomatic || reply.from === '') return
  for (const tenantId of await findTenantIds(found.tenantPrefix)) {
    const answered = await findAnswered(tenantId, found.mailId)
    if (!answered || answered.email.toLowerCase() !== reply.from) continue
    await countAttempt(`chat.reply ${answered.memberId}`, REPLY_LIMIT)
    await postReply(tenantId, answered, reply, now)
  }
}

interface Answered {
  conversationId: string
  memberId: string
  email: string
  locale: Locale
  accountType: AccountType
  roles: Role[]
  sentAt: Date
}

/** The email about unread messages that was answered, with its receiver; null when it is no such email. */
function findAnswered(tenantId: string, mailId: string): Promise<Answered | null> {
  return inTenant({ tenantId }, async (tx) => {
    const [sent] = await tx
      .select({ onceKey: mail.onceKey, to: mail.to, sentAt: mail.createdAt })
      .from(mail)
      .where(and(eq(mail.id, mailId), eq(mail.tenantId, tenantId), eq(mail.acceptsReplies, true)))
    const key = readUnreadEmailKey(sent?.onceKey ?? '')
    if (!sent || !key) return null
    const { conversationId, memberId } = key
    const [member] = await tx
      .select({
        email: user.email,
        locale: user.locale,
        accountType: membership.accountType,
        roles: membership.roles,
        blockedAt: membership.blockedAt,
      })
      .from(membership)
      .innerJoin(user, eq(user.id, membership.userId))
      .where(and(eq(membership.tenantId, sql`current_tenant()`), eq(membership.id, memberId)))
    // A member with a new address replies from it to newer emails only.
    if (!member || member.blockedAt || member.email !== sent.to) return null
    const { email, locale, accountType } = member
    const roles = effectiveRoles(accountType, member.roles)
    return { conversationId, memberId, email, locale, accountType, roles, sentAt: sent.sentAt }
  })
}

async function postReply(tenantId: string, answered: Answered, reply: ParsedReply, now: Date): Promise<void> {
  const messageId = idOfReply(answered, reply)
  const reason = await findReplyObstacle(tenantId, answered, reply, now)
  if (reason === null) {
    const { memberId: membershipId, roles, conversationId } = answered
    const actor = { tenantId, membershipId, roles }
    try {
      const { seq } = await postMessage(actor, { conversationId, messageId, body: reply.text })
      await markConversationRead(actor, { conversationId, seq })
      return
    } catch (error) {
      // The sender is no longer a participant, or may not write any more.
      if (!(error instanceof Refusal && (error.code === 'forbidden' || error.code === 'not_found'))) throw error
    }
  }
  await inTenant({ tenantId }, (tx) => sendRefusal(tx, answered, reason ?? 'closed', messageId))
}

type RefusalReason = 'empty' | 'long' | 'old' | 'plan' | 'closed'

async function findReplyObstacle(
  tenantId: string,
  { accountType, sentAt }: Answered,
  { text }: ParsedReply,
  now: Date,
): Promise<RefusalReason | null> {
  if (now.getTime() - sentAt.getTime() > REPLY_DAYS * DAY_MS) return 'old'
  if (text === '') return 'empty'
  if (text.length > MESSAGE_LIMIT) return 'long'
  if (accountType === 'ACCOUNT_TYPE_STUDENT') return null
  const { plans } = await inTenant({ tenantId }, (tx) => getTenantPlans(tx))
  return plans.some(({ group, state }) => group === 'lms' && state === 'current') ? null : 'plan'
}

async function sendRefusal(tx: Tx, answered: Answered, reason: RefusalReason, messageId: string): Promise<void> {
  const school = await loadEmailSchool(tx)
  if (!school) return
  const { email, locale, accountType, conversationId } = answered
  const t = getTranslator(locale)
  await sendEmail({
    tenantId: school.tenantId,
    to: email,
    locale,
    subject: t('chat:reply.refused'),
    body: composeEmail(t, {
      school: school.name,
      heading: t('chat:reply.refused'),
      paragraphs: [t(`chat:reply.reason.${reason}`)],
      button: {
        label: t('chat:email.open'),
        href: pageUrlOf(school, accountType, `/chat?conversation=${conversationId}`),
      },
    }),
    onceKey: `chat/reply-refused/${messageId}`,
  })
}

/** The id of the reply as a message: the same for a repeated delivery. */
const idOfReply = ({ memberId, conversationId }: Answered, { messageId, text }: ParsedReply): string =>
  derivedId(`${memberId}\n${conversationId}\n${messageId || text}`)
