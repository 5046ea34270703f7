import { z } from 'zod'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { updateTenant } from '#lib/tenant/settings.ts'
import { requireSettingsManager } from './permission.ts'
import type { ConfirmReplyTo, RequestReplyTo } from './schema.ts'
import { lockOwnTenant, recordSettings } from './settings.ts'

const PURPOSE = 'reply-to'
const LINK_DAYS = 3
const EMAILS = { limit: 5, windowSeconds: HOUR_SECONDS }

const Link = z.object({ tenantId: z.uuid(), email: z.string(), expiresAt: z.number() })
type Link = z.infer<typeof Link>

/**
 * Emails a link to an address; when a manager of the school opens it, the address receives replies to emails of the
 * school. Refuses with forbidden, invalid (email_not_latin) and too_many.
 */
export async function requestReplyTo(actor: Actor, { email }: RequestReplyTo): Promise<void> {
  requireSettingsManager(actor)
  await countAttempt(`reply-to:${actor.tenantId}`, EMAILS)
  await requireDeliverable(email)
  const link: Link = { tenantId: actor.tenantId, email, expiresAt: Date.now() + LINK_DAYS * DAY_MS }
  const query = new URLSearchParams({ tab: 'school', replyTo: encrypt(PURPOSE, JSON.stringify(link)) })
  const t = getTranslator(actor.locale)
  const names = { school: actor.tenantName, email }
  const body = composeEmail(t, {
    school: actor.tenantName,
    heading: t('settings:replyToEmail.heading', names),
    paragraphs: [t('settings:replyToEmail.text', names)],
    button: { label: t('settings:replyToEmail.button'), href: addressOf(actor.subdomain, `/team?${query}`) },
    footnote: t('settings:replyToEmail.footnote'),
  })
  const subject = t('settings:replyToEmail.subject', names)
  await sendEmail({ tenantId: actor.tenantId, to: email, locale: actor.locale, subject, body })
}

/** The address that a link confirms, or null when it is invalid, expired or of another school. */
export function readReplyToLink(actor: Actor, token: string): string | null {
  const text = decrypt(PURPOSE, token)
  if (text === null) return null
  const { tenantId, email, expiresAt } = parseStored(Link, JSON.parse(text))
  return tenantId === actor.tenantId && expiresAt > Date.now() ? email : null
}

/** Confirms the address of a link. A second call changes nothing. Refuses with forbidden and gone (link_expired). */
export async function confirmReplyTo(actor: Actor, { token }: ConfirmReplyTo): Promise<void> {
  requireSettingsManager(actor)
  const email = readReplyToLink(actor, token)
  if (email === null) throw new Refusal('gone', { fields: { form: ['link_expired'] } })
  await changeReplyTo(actor, email)
}

/** Replies are sent to the installation's address again. Refuses with forbidden. */
export async function removeReplyTo(actor: Actor): Promise<void> {
  requireSettingsManager(actor)
  await changeReplyTo(actor, null)
}

async function changeReplyTo(actor: Actor, replyTo: string | null): Promise<void> {
  await inTenant(actor, async (tx) => {
    const before = await lockOwnTenant(tx, actor)
    if (before.replyTo === replyTo) return
    await updateTenant(tx, actor.tenantId, { replyTo })
    await recordSettings(tx, actor, { replyTo: before.replyTo }, { replyTo })
  })
}
