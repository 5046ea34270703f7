import { timingSafeEqual } from 'node:crypto'
import { addressOf } from '#lib/core/config/config.ts'
import { keyedDigest } from '#lib/core/encryption.ts'
import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'
import { type NotificationTopic, TOPIC_NAMES } from '../kind-schema.ts'

/** What an unsubscribe link permits: to change the email settings of one member. */
export interface Unsubscription {
  memberId: string
  /** The topics of the email that contains the link. */
  topics: NotificationTopic[]
}

/** The address of the page by which the receiver of an email changes which emails they get, without signing in. */
export function unsubscribePageUrl(school: UnsubscribingSchool, unsubscription: Unsubscription): string {
  return addressOf(school.subdomain, `/unsubscribe/${signUnsubscription(school.tenantId, unsubscription)}`)
}

/** The address to which mail programs post to unsubscribe (RFC 8058). */
export function oneClickUrl(school: UnsubscribingSchool, unsubscription: Unsubscription): string {
  return addressOf(school.subdomain, `/v1/unsubscribe/${signUnsubscription(school.tenantId, unsubscription)}`)
}

export interface UnsubscribingSchool {
  tenantId: string
  subdomain: string
}

/**
 * Signs `<memberId>.<topics>` for a school. The token has no end: the links of old emails stay valid. It permits nothing
 * but to change email settings.
 */
export function signUnsubscription(tenantId: string, { memberId, topics }: Unsubscription): string {
  const text = `${memberId}.${topics.join('-')}`
  return `${text}.${macOf(tenantId, text).toString('base64url')}`
}

const TOKEN_PATTERN = new RegExp(`^(${UUID_SOURCE})\\.([a-z_-]{0,300})\\.([\\w-]{22})$`)

/** The content of a token of this school, or null when it is not valid. Unknown topics are omitted. */
export function readUnsubscription(tenantId: string, token: string): Unsubscription | null {
  const match = TOKEN_PATTERN.exec(token)
  if (!match) return null
  const [, memberId = '', names = '', mac = ''] = match
  const givenMac = Buffer.from(mac, 'base64url')
  const expectedMac = macOf(tenantId, `${memberId}.${names}`)
  if (givenMac.length !== expectedMac.length || !timingSafeEqual(givenMac, expectedMac)) return null
  const listed = names.split('-')
  return { memberId, topics: TOPIC_NAMES.filter((topic) => listed.includes(topic)) }
}

const macOf = (tenantId: string, text: string): Buffer =>
  keyedDigest('notification-unsubscribe', `${tenantId}\n${text}`).subarray(0, 16)
