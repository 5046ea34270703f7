import { isStaff, judgeTalk } from '#lib/meeting/chat/rules.ts'
import type { MessageKind } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson, RoomView } from '#lib/meeting/room-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

/** Whether somebody may write now, by the very rules of the server; the server knows of an isolation, and says nothing. */
export function standingOf(
  { kind: session }: Pick<RoomView, 'kind'>,
  me: RoomPerson,
  { chat, phase }: Pick<RoomState, 'chat' | 'phase'>,
  talk: { kind: MessageKind; text: string },
  at: { now: number; nextWord: number },
) {
  const { slowModeSeconds } = chat
  const lastSaidAt = at.nextWord > 0 && slowModeSeconds > 0 ? at.nextWord - slowModeSeconds * 1000 : null
  const talker = { personId: me.personId, role: me.role, mutedUntil: me.mutedUntil, lastSaidAt }
  const verdict = judgeTalk({ ...talker, isolated: false, banned: false }, talk, { kind: session, phase, chat }, at.now)
  const staff = isStaff(me.role)
  return {
    /** A refusal that no waiting of some seconds helps against. */
    closed: verdict.may || verdict.because === 'slow' ? null : verdict.because,
    until: verdict.may ? null : verdict.until,
    slowSeconds: !verdict.may && verdict.because === 'slow' ? (verdict.retryAfterSeconds ?? 0) : 0,
    note: staff
      ? null
      : session === 'auto' || session === 'rehearsal'
        ? ('private' as const)
        : chat.mode === 'premod'
          ? ('premod' as const)
          : null,
  }
}
