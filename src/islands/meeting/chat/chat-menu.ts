import type { MenuEntry } from '#islands/ui/Menu.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { canRestrict, DELETE_OWN_LIMIT_MS, isStaff } from '#lib/meeting/chat/rules.ts'
import { type ChatMessageView, type PersonView, REACTIONS } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { roomApi, roomNow } from '../room.ts'
import { toggleReaction } from './chat.ts'
import { $banTarget, unbanParticipant } from './chat-ban.ts'

export interface MenuContext {
  t: Translate
  me: RoomPerson
  /** Runs an action and shows its error. */
  run: (action: () => Promise<unknown>) => void
}

/** Creates the menu entries of a message that the role of the reader permits. */
export function createMessageMenu(
  message: ChatMessageView,
  isPinned: boolean,
  context: MenuContext & { reply: () => void },
): MenuEntry[] {
  const { t, me, run, reply } = context
  const { messageId, text, authorId } = message
  const isModerator = isStaff(me.role)
  const isOwn = authorId === me.personId
  const canDelete = isOwn && roomNow() - message.at < DELETE_OWN_LIMIT_MS
  const entry = (key: string, label: string, onSelect: () => void): MenuEntry => ({ key, label, onSelect })
  return [
    entry('reply', t('meeting:chat.reply'), reply),
    ...REACTIONS.map((emoji) =>
      entry(emoji, t('meeting:chat.react', { emoji }), () => run(() => toggleReaction(message, emoji))),
    ),
    entry('copy', t('meeting:chat.copy'), () => void navigator.clipboard?.writeText(text)),
    ...(isModerator && message.state === 'shown'
      ? [
          entry('pin', t(isPinned ? 'meeting:chat.unpin' : 'meeting:chat.pin'), () =>
            run(() => roomApi.pinMessage({ messageId, pinned: !isPinned })),
          ),
        ]
      : []),
    ...(isModerator || canDelete
      ? [
          {
            ...entry('delete', t('meeting:chat.delete'), () => run(() => roomApi.deleteMessage({ messageId }))),
            danger: true,
          },
        ]
      : []),
    ...(isModerator && authorId && !isOwn
      ? createModerationMenu(
          {
            personId: authorId,
            name: message.name,
            role: message.role,
            mutedUntil: null,
            isolated: false,
            banned: false,
          },
          context,
        )
      : []),
  ]
}

/** Creates the menu entries that restrict a participant; none for oneself and for roles that are not below one's own. */
export function createModerationMenu(
  participant: Pick<PersonView, 'personId' | 'name' | 'role' | 'mutedUntil' | 'isolated' | 'banned'>,
  { t, me, run }: MenuContext,
): MenuEntry[] {
  if (!isStaff(me.role) || !canRestrict(me, participant).allow) return []
  const { personId, name } = participant
  const isMuted = participant.mutedUntil !== null && participant.mutedUntil > roomNow()
  const mute = (minutes: number) => run(() => roomApi.mutePerson({ personId, minutes }))
  return [
    ...(isMuted
      ? [{ key: 'unmute', label: t('meeting:chat.unmute'), onSelect: () => mute(0) }]
      : [
          { key: 'mute', label: t('meeting:chat.mute'), onSelect: () => mute(10) },
          { key: 'muteLong', label: t('meeting:chat.muteLong'), onSelect: () => mute(60) },
        ]),
    {
      key: 'isolate',
      label: t(participant.isolated ? 'meeting:chat.unisolate' : 'meeting:chat.isolate'),
      onSelect: () => run(() => roomApi.isolatePerson({ personId, on: !participant.isolated })),
    },
    {
      key: 'ban',
      label: t(participant.banned ? 'meeting:chat.unban' : 'meeting:chat.ban'),
      danger: !participant.banned,
      onSelect: () => (participant.banned ? run(() => unbanParticipant(personId)) : $banTarget.set({ personId, name })),
    },
  ]
}
