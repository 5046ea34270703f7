import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import type { ContactPolicy, ConversationKind, PostPolicy } from './schema.ts'

/** The roles with a chat (specification, route `/chat`). */
export const CHAT_ROLES = [
  'OWNER',
  'DIRECTOR',
  'EXPERT',
  'CURATOR',
  'PRESENTER',
  'MODERATOR',
  'MENTOR',
  'STUDENT',
] as const satisfies Role[]

/** Roles that see the conversations of all courses and groups, all questions about lessons and all support requests. */
export const CHAT_MANAGERS = ['OWNER', 'DIRECTOR', 'EXPERT'] as const satisfies Role[]

interface Person {
  roles: readonly Role[]
}

/** What connects two members. */
export interface Relation {
  isSelf: boolean
  /** One is assigned as staff to a course or group in which the other one is a student with access. */
  isAssigned: boolean
  /** Both are students with access to the same course. */
  sharesCourse: boolean
  /** The other one has written in their direct conversation. */
  hasWritten: boolean
}

const isStudent = (person: Person): boolean => hasRole(person, ['STUDENT'])

/** Whether a member may write to another one directly. */
export function canWriteTo(actor: Person, target: Person, relation: Relation, policy: ContactPolicy): Verdict {
  if (relation.isSelf) return deny('self')
  if (!hasRole(actor, CHAT_ROLES) || !hasRole(target, CHAT_ROLES)) return deny('no_chat')
  if (!isStudent(actor) && !isStudent(target)) return allow('team')
  if (relation.isAssigned) return allow('assigned')
  if (relation.hasWritten) return allow('answers')
  if (isStudent(actor) && isStudent(target))
    return policy === 'everyone' && relation.sharesCourse ? allow('school_opened') : deny('students')
  if (!isStudent(actor) && hasRole(actor, CHAT_MANAGERS)) return allow('manages')
  return policy === 'assigned' ? deny('not_assigned') : allow('school_opened')
}

/** What a conversation is to the actor. */
export interface ConversationFacts {
  kind: ConversationKind
  postPolicy: PostPolicy
  /** A participant of a direct or team conversation, or the student of a lesson or support conversation. */
  isParticipant: boolean
  /** A student with current access to the course or group. */
  hasAccess: boolean
  /** Assigned as staff to the course, or the deputy of a member on vacation who is. */
  isAssigned: boolean
  /** The deputy of a participant on vacation, in a direct conversation with a student. */
  isDeputy: boolean
  /** A student whom the staff has banned from the conversation of a course or group. */
  isBanned: boolean
}

/** Whether the actor may read a conversation. */
export function canReadConversation(actor: Person, facts: ConversationFacts): Verdict {
  if (!hasRole(actor, CHAT_ROLES)) return deny('no_chat')
  if (facts.isBanned) return deny('banned')
  if (facts.isParticipant) return allow('participant')
  if (facts.kind === 'direct' && facts.isDeputy && !isStudent(actor)) return allow('deputy')
  if (facts.kind === 'direct' || facts.kind === 'team') return deny('not_participant')
  if (!isStudent(actor) && hasRole(actor, CHAT_MANAGERS)) return allow('manages')
  if (facts.kind === 'support') return deny('not_participant')
  if (facts.isAssigned && !isStudent(actor)) return allow('assigned')
  if (facts.hasAccess && (facts.kind === 'course' || facts.kind === 'group')) return allow('has_access')
  return deny('not_participant')
}

/** Whether the actor may post in a conversation that it may read; a direct one depends on `canWriteTo`. */
export function canPost(actor: Person, facts: ConversationFacts): Verdict {
  const read = canReadConversation(actor, facts)
  if (!read.allow) return read
  if (facts.postPolicy === 'staff' && isStudent(actor)) return deny('staff_only')
  return read
}

/** Whether the actor may begin a conversation of this kind; a direct one depends on `canWriteTo`. */
export function canStartConversation(
  actor: Person,
  { kind, isAssigned, hasAccess }: Pick<ConversationFacts, 'kind' | 'isAssigned' | 'hasAccess'>,
): Verdict {
  if (!hasRole(actor, CHAT_ROLES)) return deny('no_chat')
  switch (kind) {
    case 'direct':
      return allow('direct')
    case 'team':
      return isStudent(actor) ? deny('staff_only') : allow('team')
    case 'support':
      return isStudent(actor) ? allow('student') : deny('students_only')
    case 'lesson':
      return isStudent(actor) && hasAccess ? allow('has_access') : deny('students_only')
    case 'course':
    case 'group':
      if (isStudent(actor)) return deny('staff_only')
      if (hasRole(actor, CHAT_MANAGERS)) return allow('manages')
      return isAssigned ? allow('assigned') : deny('not_assigned')
  }
}

/** Whether the actor may change a message: its author while it exists. */
export function canEditMessage(
  actor: { membershipId: string },
  message: { authorId: string; isDeleted: boolean },
): Verdict {
  if (message.isDeleted) return deny('deleted')
  return message.authorId === actor.membershipId ? allow('own') : deny('not_own')
}

/** Whether the actor may delete a message: its author, and managers or assigned staff outside of direct conversations. */
export function canDeleteMessage(
  actor: Person & { membershipId: string },
  message: { authorId: string; isDeleted: boolean },
  facts: Pick<ConversationFacts, 'kind' | 'isAssigned'>,
): Verdict {
  const own = canEditMessage(actor, message)
  if (own.allow || message.isDeleted || isStudent(actor)) return own
  if (facts.kind === 'direct' || facts.kind === 'team') return own
  return hasRole(actor, CHAT_MANAGERS) || facts.isAssigned ? allow('moderates') : own
}

/** Whether the actor may pin messages: those who post in direct and team conversations, the staff in others. */
export function canPin(actor: Person, facts: ConversationFacts): Verdict {
  const post = canPost(actor, facts)
  if (!post.allow || facts.kind === 'direct' || facts.kind === 'team') return post
  return isStudent(actor) ? deny('staff_only') : post
}

/** Whether the actor may mention everyone at once: staff, where more than two take part. */
export function canMentionAll(actor: Person, facts: ConversationFacts): Verdict {
  const post = canPost(actor, facts)
  if (!post.allow) return post
  if (isStudent(actor)) return deny('staff_only')
  return facts.kind === 'course' || facts.kind === 'group' || facts.kind === 'team' ? post : deny('few_readers')
}

/** Whether the actor may leave: those who take part in a conversation of the team. Others can archive and mute. */
export function canLeaveConversation(
  actor: Person,
  { kind, isParticipant }: Pick<ConversationFacts, 'kind' | 'isParticipant'>,
): Verdict {
  if (!hasRole(actor, CHAT_ROLES)) return deny('no_chat')
  return kind === 'team' && isParticipant ? allow('participant') : deny('not_participant')
}

/** Whether the actor may add others to a conversation and sees who takes part: the participants of one of the team. */
export const canAddParticipants = (actor: Person, facts: Pick<ConversationFacts, 'kind' | 'isParticipant'>): Verdict =>
  canLeaveConversation(actor, facts)

/** Whether the actor may export conversations, also those of others. */
export const canExportChat = (actor: Person): Verdict =>
  hasRole(actor, ['OWNER']) ? allow('owns') : deny('owner_only')

/** Whether the actor may change whom students may write to. */
export const canManageChat = (actor: Person): Verdict =>
  hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages') : deny('managers_only')
