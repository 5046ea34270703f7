import { sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { recallMessage, scheduleMessage } from '#lib/outbox/changes.ts'
import { createMessage } from '#lib/outbox/create.ts'
import { loadOutgoingMessages } from '#lib/outbox/outbox.ts'
import type { MessageRow } from '#lib/outbox/output-schema.ts'
import { canSeeMessage, isActionAllowed } from '#lib/outbox/rules.ts'
import { requireGroupWriter } from './group.ts'
import { requireGroup } from './list.ts'
import type { AnnouncementId, AnnounceToGroup, GroupId } from './schema.ts'

export interface Announcement extends MessageRow {
  /** May be opened and changed by the actor. */
  isOpen: boolean
  isRecallable: boolean
}

/**
 * Emails all members of a group by a message of the outbox, which can be recalled until it is sent. A second call with the
 * same id does nothing. Refuses with forbidden, plan_inactive, not_found, unprocessable (nobody_selected).
 */
export async function announceToGroup(actor: Actor, input: AnnounceToGroup): Promise<{ announcementId: string }> {
  requireGroupWriter(actor)
  const { groupId, announcementId, subject, text } = input
  return inTenant(actor, async (tx) => {
    const group = await requireGroup(tx, actor, groupId)
    const recipients = sql`select s.id, s.email, s.name, u.locale from enrolled_grants() a
      join student s on s.tenant_id = a.tenant_id and s.id = a.student_id join "user" u on u.id = s.user_id
      where a.source_type = 'group' and a.source_id = ${groupId} and s.deleted_at is null`
    const message = { id: announcementId, kind: 'announcement' as const, subject, text }
    const announced = { ...message, objectType: 'group', objectId: groupId } as const
    if (!(await createMessage(tx, actor, announced, recipients))) return { announcementId }
    await scheduleMessage(actor, { messageId: announcementId })
    await recordAuditEntry(tx, actor, {
      action: 'group.announced',
      objectId: groupId,
      objectName: group.name,
      after: { subject, students: group.members },
    })
    return { announcementId }
  })
}

/**
 * Recalls the emails that were not sent yet. Refuses with forbidden, plan_inactive, not_found (also of another author),
 * gone.
 */
export async function recallAnnouncement(actor: Actor, input: AnnouncementId): Promise<{ recalled: number }> {
  requireGroupWriter(actor)
  const { groupId, announcementId } = input
  return inTenant(actor, async (tx) => {
    await requireGroup(tx, actor, groupId)
    const { items } = await loadOutgoingMessages(tx, { objectId: groupId, q: '', limit: 100 })
    if (!items.some(({ id }) => id === announcementId)) throw new Refusal('not_found')
    return recallMessage(actor, { messageId: announcementId })
  })
}

const MAX_ANNOUNCEMENTS = 30

/** The newest announcements of a group, 30 at most. Refuses with forbidden, not_found. */
export async function listAnnouncements(actor: Actor, input: GroupId): Promise<Announcement[]> {
  const { groupId } = input
  return inTenant(actor, async (tx) => {
    const loading = loadOutgoingMessages(tx, { objectId: groupId, q: '', limit: MAX_ANNOUNCEMENTS })
    const [, { items }] = await Promise.all([requireGroup(tx, actor, groupId), loading])
    return items.map((message) => {
      const isOpen = canSeeMessage(actor, message).allow
      return { ...message, isOpen, isRecallable: isOpen && isActionAllowed('recall', message.state) }
    })
  })
}
