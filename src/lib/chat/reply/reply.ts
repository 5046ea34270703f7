import { getTenantPlans } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { derivedId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { MAX_EMAIL_BYTES } from '#lib/core/mail/inbound/limits.ts'
import { isSenderVerified } from '#lib/core/mail/inbound/verify.ts'
import type { MailClient } from '#lib/core/mail/inbound/verify-worker.ts'
import { findRepliedMail } from '#lib/core/mail/reply-address.ts'
import { hasVisibleText } from '#lib/core/shared/text/text.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { findTenantIds } from '#lib/tenant/tenant.ts'
import type { ChatActor } from '../access.ts'
import { markConversationRead } from '../message/read.ts'
import { postMessage } from '../message/send.ts'
import { MESSAGE_LIMIT } from '../schema.ts'
import { type Answered, findAnswered } from './answered.ts'
import { storeReplyFiles } from './files.ts'
import { holdReply, isReplyKnown } from './hold.ts'
import { type ReplyObstacle, sendFileRefusal, sendRefusal } from './response.ts'
import type { ParsedReply, parseReply } from './worker.ts'

/** Replies of one member by email. */
const REPLY_LIMIT = { limit: 30, windowSeconds: HOUR_SECONDS }
const REPLY_DAYS = 30

const parseInWorker = workerTask<typeof parseReply>({
  file: 'src/lib/chat/reply/worker.ts',
  name: 'parseReply',
  lane: 'request',
  limitMs: 10_000,
  field: 'reply',
})

interface Reception {
  now?: Date
  /** The client of the own SMTP server; null when the mail server of the installation has posted the email. */
  client?: MailClient | null
}

/**
 * Posts a reply to an email about unread messages in its conversation, as its receiver, with its attachments. The address of
 * the reply has a signed token of the email, and its sender must be the receiver of the email. If the sender is not
 * authenticated, the reply is kept as an unsent message and the person and staff are notified. The same Message-ID again is the
 * same message. Replies of others, automatic ones and those to unknown addresses are ignored; one that cannot be posted is
 * refused by an email to its sender. Refuses with too_large, unprocessable (parse_too_complex), too_many.
 */
export async function receiveReply(
  source: Uint8Array | string,
  { now = new Date(), client = null }: Reception = {},
): Promise<void> {
  const raw = typeof source === 'string' ? new TextEncoder().encode(source) : source
  if (raw.length > MAX_EMAIL_BYTES) throw new Refusal('too_large')
  const reply = await parseInWorker(raw)
  const found = findRepliedMail(reply.addresses)
  if (!found?.tenantPrefix || reply.isAutomatic || reply.from === '') return
  for (const tenantId of await findTenantIds(found.tenantPrefix)) {
    const answered = await findAnswered(tenantId, found.mailId)
    if (!answered || answered.email.toLowerCase() !== reply.from) continue
    await countAttempt(`chat.reply ${answered.memberId}`, REPLY_LIMIT)
    const { from, results } = reply
    await postReply(answered, reply, { now, isVerified: await isSenderVerified({ raw, from, results, client }) })
  }
}

async function postReply(
  answered: Answered,
  reply: ParsedReply,
  { now, isVerified }: { now: Date; isVerified: boolean },
): Promise<void> {
  const { tenantId, memberId: membershipId, roles, conversationId } = answered
  const actor: ChatActor = { tenantId, membershipId, roles }
  const messageId = idOfReply(answered, reply)
  if (await inTenant(actor, (tx) => isReplyKnown(tx, messageId))) return
  const obstacle = await findObstacle(answered, reply, now)
  if (obstacle) return refuse(answered, obstacle, messageId)
  const { fileIds, refused } = await storeReplyFiles(actor, conversationId, reply.files)
  const body = hasVisibleText(reply.text) ? reply.text : ''
  if (body === '' && fileIds.length === 0) return refuse(answered, 'empty', messageId)
  try {
    if (isVerified) {
      const { seq } = await postMessage(actor, { conversationId, messageId, body, fileIds })
      await markConversationRead(actor, { conversationId, seq })
    } else await holdReply(actor, { conversationId, messageId, body, fileIds }, now)
  } catch (error) {
    // The sender is no longer a participant, or may not write any more.
    if (!(error instanceof Refusal && (error.code === 'forbidden' || error.code === 'not_found'))) throw error
    return refuse(answered, 'closed', messageId)
  }
  if (refused.length > 0) await inTenant(actor, (tx) => sendFileRefusal(tx, answered, refused, messageId))
}

const refuse = (answered: Answered, reason: ReplyObstacle, messageId: string): Promise<void> =>
  inTenant({ tenantId: answered.tenantId }, (tx) => sendRefusal(tx, answered, reason, messageId))

async function findObstacle(
  { tenantId, accountType, sentAt }: Answered,
  { text, files }: ParsedReply,
  now: Date,
): Promise<ReplyObstacle | null> {
  if (now.getTime() - sentAt.getTime() > REPLY_DAYS * DAY_MS) return 'old'
  if (text === '' && files.length === 0) return 'empty'
  if (text.length > MESSAGE_LIMIT) return 'long'
  if (accountType === 'ACCOUNT_TYPE_STUDENT') return null
  const { plans } = await inTenant({ tenantId }, (tx) => getTenantPlans(tx))
  return plans.some(({ group, state }) => group === 'lms' && state === 'current') ? null : 'plan'
}

/** The id of the reply as a message: the same for a repeated delivery. */
const idOfReply = ({ memberId, conversationId }: Answered, { messageId, text }: ParsedReply): string =>
  derivedId(`${memberId}\n${conversationId}\n${messageId || text}`)
