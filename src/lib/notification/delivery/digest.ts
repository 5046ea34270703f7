import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { type NotificationEmail, pageUrlOf, withUnsubscribe } from '../compose.ts'
import { NOTIFICATION_KINDS } from '../kind-schema.ts'
import { endOfQuiet, isWithinDailyCap, nextDailyDigest } from '../settings/rules.ts'
import { DEFAULT_DAILY_CAP } from '../settings/schema.ts'
import { notificationSettings } from '../settings/table.ts'
import type { DeliveryResult, DueMessage } from './delivery-result.ts'
import { countEmails } from './email-count.ts'
import { groupLines, type Line } from './group-lines.ts'

const MAX_LINES = 30

/**
 * Sends one email about all notifications that are due, in the transaction that ends them. An hourly email beyond the
 * daily cap waits for the daily one.
 */
export async function sendDigest(tx: Tx, message: DueMessage): Promise<DeliveryResult> {
  const { school, receiver, rows, now } = message
  const [settings] = await tx
    .select()
    .from(notificationSettings)
    .where(
      and(
        eq(notificationSettings.tenantId, sql`current_tenant()`),
        eq(notificationSettings.memberId, receiver.memberId),
      ),
    )
  const day = localDay(now, receiver.timeZone)
  const counts = await countEmails(tx, [{ memberId: receiver.memberId, day }])
  const before = (counts.get(receiver.memberId) ?? 1) - 1
  const isHourly = rows.every(({ frequency }) => frequency === 'hourly')
  if (isHourly && !isWithinDailyCap(before, settings?.dailyCap ?? DEFAULT_DAILY_CAP)) {
    const { quietFrom: from, quietUntil: until } = settings ?? {}
    const quiet = from && until ? { from, until } : null
    return {
      outcome: 'postponed',
      until: endOfQuiet(nextDailyDigest(now, receiver.timeZone), receiver.timeZone, quiet),
    }
  }
  const topics = [...new Set(rows.map(({ kind }) => NOTIFICATION_KINDS[kind]))]
  const first = rows[0]?.id ?? ''
  await sendEmail({
    ...withUnsubscribe(school, receiver, composeDigest(message), topics),
    onceKey: `notification-digest/${receiver.memberId}/${first}`,
  })
  return { outcome: 'sent' }
}

function composeDigest({ school, receiver, rows }: DueMessage): NotificationEmail {
  const t = getTranslator(receiver.locale)
  const lines = groupLines(t, rows, receiver)
  const shown = lines.slice(-MAX_LINES).reverse()
  const urlOf = (path: string) => pageUrlOf(school, receiver.accountType, path)
  const [only] = lines.length === 1 ? lines : []
  const title = only ? only.title : t('notification:digest.subject', { count: lines.length })
  const hidden = lines.length - shown.length
  return {
    subject: title,
    parts: {
      heading: title,
      preheader: shown[0]?.title ?? title,
      paragraphs: [
        ...(only?.context ? [only.context] : []),
        ...(only?.times ?? []),
        ...(hidden > 0 ? [t('notification:digest.more', { count: hidden })] : []),
      ],
      links: only ? [] : shown.map((line) => ({ label: digestLabel(line), href: urlOf(line.link) })),
      button: only
        ? { label: t('notification:email.open'), href: urlOf(only.link) }
        : { label: t('notification:digest.open'), href: urlOf('/notifications') },
    },
  }
}

const digestLabel = ({ title, context, times }: Line) => [title, context, ...times].filter(Boolean).join(' · ')
