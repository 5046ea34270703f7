import type { Actor } from '#lib/core/shared/actor.ts'
import type { OutgoingMessageKind, OutgoingMessageState } from '#lib/core/shared/outgoing-message.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Time for which a released message waits, and can be recalled completely. */
export const MESSAGE_RECALL_SECONDS = 60

/** Whether an actor may see and change all outgoing messages of the school. */
export function canManageOutbox(actor: Pick<Actor, 'roles'>): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages_students') : deny('forbidden')
}

/**
 * Whether an actor may see and change one message: administrators all of them, authors their own, and experts, who
 * manage all groups, announcements to groups.
 */
export function canSeeMessage(
  actor: Pick<Actor, 'roles' | 'membershipId'>,
  { kind, authorId }: { kind: OutgoingMessageKind; authorId: string | null },
): Verdict {
  if (authorId === actor.membershipId) return allow('own_message')
  if (kind === 'announcement' && hasRole(actor, ['EXPERT'])) return allow('manages_groups')
  return canManageOutbox(actor)
}

export type MessageAction = 'edit' | 'hold' | 'send' | 'recall' | 'discard'

const ALLOWED_FROM: Record<MessageAction, readonly OutgoingMessageState[]> = {
  edit: ['draft', 'held'],
  hold: ['draft', 'scheduled'],
  send: ['draft', 'held'],
  recall: ['held', 'scheduled', 'sending'],
  discard: ['draft'],
}

/** Whether an action is allowed in this state of a message. */
export const isActionAllowed = (action: MessageAction, state: OutgoingMessageState): boolean =>
  ALLOWED_FROM[action].includes(state)
