import { useStore } from '@nanostores/react'
import { useMemo, useState } from 'react'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import type { MessageView } from '#lib/meeting/chat/schema.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ButtonBar } from '../panel/ButtonBar.tsx'
import { $me, $state } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { ChatComposer } from './ChatComposer.tsx'
import { ChatList } from './ChatList.tsx'
import { ChatMessage } from './ChatMessage.tsx'
import { ChatOutgoing } from './ChatOutgoing.tsx'
import { ChatPinned } from './ChatPinned.tsx'
import { ChatSearch } from './ChatSearch.tsx'
import { $chat, $letters, $older, loadOlder } from './chat.ts'
import { useChatAction } from './use-chat-action.ts'

/** The chat: what is pinned, what was said, and where one writes. */
export function ChatPanel({ view }: { view: RoomView }) {
  const { t, locale, strings } = useTranslation()
  const me = useStore($me) ?? view.me
  const state = useStore($state) ?? view.state
  const chat = useStore($chat)
  const letters = useStore($letters)
  const older = useStore($older)
  const [to, setTo] = useState<MessageView | null>(null)
  const [mend, setMend] = useState<{ text: string } | null>(null)
  const { errorText, run } = useChatAction()

  const messages = chat.message.length > 0 ? chat.message : firstOf(view)
  const sending = useMemo(() => {
    const known = new Set(messages.map(({ messageId }) => messageId))
    return letters.filter(({ kind, messageId }) => kind === 'message' && !known.has(messageId))
  }, [letters, messages])
  const ids = useMemo(() => [...messages, ...sending].map(({ messageId }) => messageId), [messages, sending])
  const pinned = useMemo(() => new Set(state.pinned.map(({ messageId }) => messageId)), [state.pinned])

  const row = (index: number) => {
    const message = messages[index]
    if (message)
      return (
        <ChatMessage
          message={message}
          me={me}
          pinned={pinned.has(message.messageId)}
          seek={null}
          run={run}
          reply={setTo}
        />
      )
    const letter = sending[index - messages.length]
    return letter ? <ChatOutgoing message={letter} me={me} edit={(text) => setMend({ text })} /> : null
  }
  return (
    <div className="chat">
      <ChatPinned pinned={state.pinned} staff={isStaff(me.role)} run={run} />
      <ChatSearch view={view} me={me} run={run} reply={setTo} />
      <ChatList
        label={t('meeting:chat.list')}
        ids={ids}
        row={row}
        empty={t('meeting:chat.empty')}
        older={older === null ? null : loadOlder}
      />
      <ButtonBar view={view} strings={strings} locale={locale} placement="chat" />
      {errorText && (
        <p className="chat-failed" role="alert">
          {errorText}
        </p>
      )}
      <ChatComposer view={view} kind="message" to={to} onDone={() => setTo(null)} mend={mend} />
    </div>
  )
}

// What the page was made with, until the chat lives.
const first = new WeakMap<RoomView, readonly MessageView[]>()

function firstOf(view: RoomView): readonly MessageView[] {
  const known = first.get(view) ?? view.messages.filter(({ kind }) => kind === 'message')
  first.set(view, known)
  return known
}
