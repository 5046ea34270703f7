import { and, eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { AccountType, Role } from '#lib/core/shared/role.ts'
import { membership, user } from '#lib/user/table.ts'
import type { NotificationFrequency, NotificationTopic } from '../kind-schema.ts'
import { frequencyOf } from './rules.ts'
import { loadPreferences, storeChannels, topicsOf } from './settings.ts'
import { readUnsubscription } from './unsubscribe-token.ts'

interface TokenInput {
  tenantId: string
  token: string
}

export interface UnsubscribePage {
  email: string
  /** The topics of the email that contains the link. */
  topics: NotificationTopic[]
  /** All topics with the frequency of their emails. */
  emails: { topic: NotificationTopic; frequency: NotificationFrequency }[]
}

/** What a link of an email permits to change. Refuses with not_found when the link is not valid. */
export function getUnsubscribePage({ tenantId, token }: TokenInput): Promise<UnsubscribePage> {
  return inTenant({ tenantId }, async (tx) => {
    const { member, topics, emails } = await loadSubscriptions(tx, { tenantId, token })
    return { email: hideAddress(member.email), topics, emails }
  })
}

/** Ends the emails about the topics of a link (RFC 8058); a repeated call changes nothing. */
export function unsubscribe(input: TokenInput): Promise<void> {
  return inTenant(input, async (tx) => {
    const { topics, emails } = await loadSubscriptions(tx, input)
    const enabled = emails.filter(({ topic, frequency }) => frequency !== 'off' && !topics.includes(topic))
    await setEmailTopics(
      tx,
      input,
      enabled.map(({ topic }) => topic),
    )
  })
}

/** Saves which topics a person gets emails about, by the link of an email. Refuses with not_found. */
export function saveEmailTopics(input: TokenInput & { enabled: readonly NotificationTopic[] }): Promise<void> {
  return inTenant(input, (tx) => setEmailTopics(tx, input, input.enabled))
}

async function setEmailTopics(tx: Tx, input: TokenInput, enabled: readonly NotificationTopic[]): Promise<void> {
  const { member, emails } = await loadSubscriptions(tx, input)
  const changed = emails.filter(({ topic, frequency }) => enabled.includes(topic) !== (frequency !== 'off'))
  if (changed.length === 0) return
  await storeChannels(
    tx,
    { tenantId: input.tenantId, memberId: member.id },
    changed.map(({ topic, frequency }) => ({
      topic,
      channel: 'email',
      frequency: frequency === 'off' ? enabledFrequency(topic) : 'off',
    })),
  )
  await recordAuditEntry(
    tx,
    { tenantId: input.tenantId, membershipId: member.id, address: undefined },
    {
      action: 'member.emails_changed',
      objectId: member.id,
      objectName: member.email,
      before: { emailTopics: emails.filter(({ frequency }) => frequency !== 'off').map(({ topic }) => topic) },
      after: { emailTopics: [...enabled] },
    },
  )
}

const enabledFrequency = (topic: NotificationTopic) => frequencyOf(topic, 'email')

async function loadSubscriptions(tx: Tx, { tenantId, token }: TokenInput) {
  const unsubscription = readUnsubscription(tenantId, token)
  if (!unsubscription) throw new Refusal('not_found')
  const { memberId, topics } = unsubscription
  const [[member], preferences] = await Promise.all([
    tx
      .select({
        id: membership.id,
        email: user.email,
        accountType: membership.accountType,
        roles: membership.roles,
      })
      .from(membership)
      .innerJoin(user, eq(user.id, membership.userId))
      .where(and(eq(membership.tenantId, tenantId), eq(membership.id, memberId))),
    loadPreferences(tx, { tenantId, memberId }),
  ])
  if (!member) throw new Refusal('not_found')
  const shown = new Set([...topicsFor(member), ...topics])
  const emails = [...shown].map((topic) => {
    const chosen = preferences.find((row) => row.topic === topic && row.channel === 'email')
    return { topic, frequency: frequencyOf(topic, 'email', chosen?.frequency) }
  })
  return { member, topics, emails }
}

const topicsFor = ({ accountType, roles }: { accountType: AccountType; roles: Role[] }) =>
  topicsOf({ accountType, roles })

/** `o…@example.com`: the page is opened without signing in. */
function hideAddress(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  return `${name.slice(0, 1)}…@${domain}`
}
