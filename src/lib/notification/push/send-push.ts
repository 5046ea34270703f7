import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { session } from '#lib/user/table.ts'
import { pageUrlOf } from '../compose.ts'
import type { DeliveryResult, DueMessage } from '../delivery/delivery-result.ts'
import { groupLines } from '../delivery/group-lines.ts'
import { encryptPush } from './encrypt-push.ts'
import { pushSubscription } from './table.ts'
import { vapidAuthorization } from './vapid.ts'

const TIMEOUT_MS = 10_000

/**
 * Sends one push message to the browsers of a member. Browsers that have received it in an earlier attempt are omitted;
 * subscriptions that have expired, or whose login session was ended, are removed.
 */
export async function sendPush(tx: Tx, message: DueMessage): Promise<DeliveryResult> {
  const { receiver, rows, now } = message
  await removeSignedOut(tx, receiver.memberId)
  const subscriptions = await tx.select().from(pushSubscription).where(isOfMember(receiver.memberId))
  if (subscriptions.length === 0) return { outcome: 'skipped' }
  const done = new Set(rows.flatMap(({ receivedBy }) => receivedBy))
  const text = JSON.stringify(composePush(message))
  const waiting = subscriptions.filter(({ id }) => !done.has(id))
  const responses = await Promise.all(
    waiting.map(async (subscription) => ({ subscription, response: await post(subscription, text, now) })),
  )
  const idsWith = (outcome: PushResponse['outcome']) =>
    responses.filter(({ response }) => response.outcome === outcome).map(({ subscription }) => subscription.id)
  const expired = idsWith('expired')
  if (expired.length > 0) await tx.delete(pushSubscription).where(inArray(pushSubscription.id, expired))
  const received = idsWith('received')
  if (received.length > 0)
    await tx.update(pushSubscription).set({ lastSentAt: now }).where(inArray(pushSubscription.id, received))
  const failed = responses.flatMap(({ response }) => (response.outcome === 'failed' ? response : []))
  const [first] = failed
  if (!first) return { outcome: received.length + done.size > 0 ? 'sent' : 'skipped' }
  const waits = failed.flatMap(({ retryAfterMs }) => retryAfterMs ?? [])
  return {
    outcome: 'retry',
    error: first.error,
    receivedBy: [...done, ...received],
    ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
  }
}

const isOfMember = (memberId: string) =>
  and(eq(pushSubscription.tenantId, sql`current_tenant()`), eq(pushSubscription.memberId, memberId))

/** A browser from which the person has signed out receives nothing. An expired session is not signed out. */
async function removeSignedOut(tx: Tx, memberId: string): Promise<void> {
  const signedOut = tx.select({ id: session.id }).from(session).where(isNotNull(session.revokedAt))
  await tx.delete(pushSubscription).where(and(isOfMember(memberId), inArray(pushSubscription.sessionId, signedOut)))
}

interface PushText {
  title: string
  body: string
  url: string
  /** Messages with the same tag replace each other in the browser, so that a repeated one is displayed once. */
  tag: string
}

function composePush({ school, receiver, rows }: DueMessage): PushText {
  const t = getTranslator(receiver.locale)
  const lines = groupLines(t, rows, receiver)
  const [first] = rows
  const [only] = lines.length === 1 ? lines : []
  const shown = lines.slice(-MAX_LINES).reverse()
  const bodyLines = only
    ? [only.context ?? (only.times.length > 0 ? '' : school.name), ...only.times].filter(Boolean)
    : shown.map(({ title, times }) => [title, ...times].join(' · '))
  return {
    title: (only ? only.title : t('notification:digest.subject', { count: lines.length })).slice(0, 200),
    body: bodyLines.join('\n').slice(0, 600),
    url: pageUrlOf(school, receiver.accountType, only ? only.link : '/notifications'),
    tag: (only && first?.groupKey) || first?.id || '',
  }
}

const MAX_LINES = 5

type PushResponse =
  | { outcome: 'received' }
  | { outcome: 'expired' }
  | { outcome: 'refused' }
  | { outcome: 'failed'; error: string; retryAfterMs?: number }

async function post(
  { endpoint, p256dh, auth }: typeof pushSubscription.$inferSelect,
  text: string,
  now: Date,
): Promise<PushResponse> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      redirect: 'error',
      headers: {
        authorization: vapidAuthorization(endpoint, now),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(DAY_SECONDS),
        urgency: 'normal',
      },
      body: new Uint8Array(encryptPush(text, { p256dh, auth })),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return outcomeOf(response)
  } catch (error) {
    // The keys of the browser are not valid.
    if (error instanceof TypeError && error.message.startsWith('the key')) return { outcome: 'expired' }
    return { outcome: 'failed', error: error instanceof Error ? error.message : String(error) }
  }
}

function outcomeOf({ ok, status, headers }: Response): PushResponse {
  if (ok) return { outcome: 'received' }
  if (status === 404 || status === 410) return { outcome: 'expired' }
  if (status !== 429 && status < 500) return { outcome: 'refused' }
  const seconds = Number(headers.get('retry-after'))
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, DAY_SECONDS) * 1000 : undefined
  return { outcome: 'failed', error: `HTTP ${status}`, ...(retryAfterMs && { retryAfterMs }) }
}
