import type { MenuEntry } from '#islands/ui/Menu.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { isStaff, mayOrder, TAKE_BACK_MS } from '#lib/meeting/chat/rules.ts'
import { type MessageView, type PersonView, REACTIONS } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { act, now } from '../room.ts'
import { react } from './chat.ts'
import { $banning, unban } from './chat-ban.ts'

export interface MenuParts {
  say: Say
  me: RoomPerson
  /** Runs an act and puts into words what it failed with. */
  run: (act: () => Promise<unknown>) => void
}

/** What may be done with a message by whoever looks at it. */
export function messageMenu(
  message: MessageView,
  pinned: boolean,
  parts: MenuParts & { reply: () => void },
): MenuEntry[] {
  const { say, me, run, reply } = parts
  const { messageId, text, authorId } = message
  const staff = isStaff(me.role)
  const own = authorId === me.personId
  const mayTakeBack = own && now() - message.at < TAKE_BACK_MS
  const entry = (key: string, label: string, onSelect: () => void): MenuEntry => ({ key, label, onSelect })
  return [
    entry('reply', say('meeting:chat.reply'), reply),
    ...REACTIONS.map((emoji) =>
      entry(emoji, say('meeting:chat.react', { emoji }), () => run(() => react(message, emoji))),
    ),
    entry('copy', say('meeting:chat.copy'), () => void navigator.clipboard?.writeText(text)),
    ...(staff && message.state === 'shown'
      ? [
          entry('pin', say(pinned ? 'meeting:chat.unpin' : 'meeting:chat.pin'), () =>
            run(() => act.pinMessage({ messageId, pinned: !pinned })),
          ),
        ]
      : []),
    ...(staff || mayTakeBack
      ? [
          {
            ...entry('delete', say('meeting:chat.delete'), () => run(() => act.deleteMessage({ messageId }))),
            danger: true,
          },
        ]
      : []),
    ...(staff && authorId && !own
      ? orderMenu(
          {
            personId: authorId,
            name: message.name,
            role: message.role,
            mutedUntil: null,
            isolated: false,
            banned: false,
          },
          parts,
        )
      : []),
  ]
}

/** How order is kept about a person; nothing for oneself and those above. */
export function orderMenu(
  person: Pick<PersonView, 'personId' | 'name' | 'role' | 'mutedUntil' | 'isolated' | 'banned'>,
  { say, me, run }: MenuParts,
): MenuEntry[] {
  if (!isStaff(me.role) || !mayOrder(me, person).allow) return []
  const { personId, name } = person
  const muted = person.mutedUntil !== null && person.mutedUntil > now()
  const mute = (minutes: number) => run(() => act.mutePerson({ personId, minutes }))
  return [
    ...(muted
      ? [{ key: 'unmute', label: say('meeting:chat.unmute'), onSelect: () => mute(0) }]
      : [
          { key: 'mute', label: say('meeting:chat.mute'), onSelect: () => mute(10) },
          { key: 'muteLong', label: say('meeting:chat.muteLong'), onSelect: () => mute(60) },
        ]),
    {
      key: 'isolate',
      label: say(person.isolated ? 'meeting:chat.unisolate' : 'meeting:chat.isolate'),
      onSelect: () => run(() => act.isolatePerson({ personId, on: !person.isolated })),
    },
    {
      key: 'ban',
      label: say(person.banned ? 'meeting:chat.unban' : 'meeting:chat.ban'),
      danger: !person.banned,
      onSelect: () => (person.banned ? run(() => unban(personId)) : $banning.set({ personId, name })),
    },
  ]
}
