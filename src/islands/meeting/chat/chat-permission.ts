import { checkChatMessage, isStaff } from '#lib/meeting/chat/rules.ts'
import type { ChatMessageKind } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson, RoomView } from '#lib/meeting/room-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

/**
 * Decides whether a participant may write now, by the same rules as the server. An isolation is not disclosed to the
 * browser.
 */
export function getChatPermission(
  { kind: sessionKind }: Pick<RoomView, 'kind'>,
  me: RoomPerson,
  { chat, phase }: Pick<RoomState, 'chat' | 'phase'>,
  draft: { kind: ChatMessageKind; text: string },
  times: { now: number; slowModeUntil: number },
) {
  const { slowModeSeconds } = chat
  const lastMessageAt =
    times.slowModeUntil > 0 && slowModeSeconds > 0 ? times.slowModeUntil - slowModeSeconds * 1000 : null
  const sender = { personId: me.personId, role: me.role, mutedUntil: me.mutedUntil, lastMessageAt }
  const verdict = checkChatMessage(
    { ...sender, isolated: false, banned: false },
    draft,
    { kind: sessionKind, phase, chat },
    times.now,
  )
  const isModerator = isStaff(me.role)
  return {
    /** A refusal other than slow mode, which ends by itself after some seconds. */
    closed: verdict.isAllowed || verdict.reason === 'slow' ? null : verdict.reason,
    until: verdict.isAllowed ? null : verdict.until,
    slowSeconds: !verdict.isAllowed && verdict.reason === 'slow' ? (verdict.retryAfterSeconds ?? 0) : 0,
    note: isModerator
      ? null
      : sessionKind === 'auto' || sessionKind === 'rehearsal'
        ? ('private' as const)
        : chat.mode === 'premod'
          ? ('premod' as const)
          : null,
  }
}
