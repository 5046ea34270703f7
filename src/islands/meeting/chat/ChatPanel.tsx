import { useStore } from '@nanostores/react'
import { useMemo, useState } from 'react'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import type { ChatMessageView } from '#lib/meeting/chat/schema.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ButtonBar } from '../panel/ButtonBar.tsx'
import { $me, $state } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { ChatList } from './ChatList.tsx'
import { ChatMessage } from './ChatMessage.tsx'
import { ChatOutgoing } from './ChatOutgoing.tsx'
import { ChatPinned } from './ChatPinned.tsx'
import { ChatSearch } from './ChatSearch.tsx'
import { ChatSendArea } from './ChatSendArea.tsx'
import { $chat, $olderCursor, $outgoingMessages, loadOlder } from './chat.ts'
import { useChatAction } from './use-chat-action.ts'

/** The chat: pinned messages, search, messages and the message field. */
export function ChatPanel({ view }: { view: RoomView }) {
  const { t, locale, strings } = useTranslation()
  const me = useStore($me) ?? view.me
  const state = useStore($state) ?? view.state
  const chat = useStore($chat)
  const outgoingMessages = useStore($outgoingMessages)
  const olderCursor = useStore($olderCursor)
  const [replyTo, setReplyTo] = useState<ChatMessageView | null>(null)
  const [correction, setCorrection] = useState<{ text: string } | null>(null)
  const { errorText, run } = useChatAction()

  const messages = chat.message.length > 0 ? chat.message : initialMessagesOf(view)
  const unsentMessages = useMemo(() => {
    const knownIds = new Set(messages.map(({ messageId }) => messageId))
    return outgoingMessages.filter(({ id, payload }) => payload.kind === 'message' && !knownIds.has(id))
  }, [outgoingMessages, messages])
  const ids = useMemo(
    () => [...messages.map(({ messageId }) => messageId), ...unsentMessages.map(({ id }) => id)],
    [messages, unsentMessages],
  )
  const pinned = useMemo(() => new Set(state.pinned.map(({ messageId }) => messageId)), [state.pinned])

  const renderRow = (index: number) => {
    const message = messages[index]
    if (message)
      return (
        <ChatMessage
          message={message}
          me={me}
          isPinned={pinned.has(message.messageId)}
          seek={null}
          run={run}
          reply={setReplyTo}
        />
      )
    const outgoing = unsentMessages[index - messages.length]
    return outgoing ? <ChatOutgoing message={outgoing} me={me} edit={(text) => setCorrection({ text })} /> : null
  }
  return (
    <div className="chat">
      <ChatPinned pinned={state.pinned} isStaff={isStaff(me.role)} run={run} />
      <ChatSearch view={view} me={me} run={run} reply={setReplyTo} />
      <ChatList
        label={t('meeting:chat.list')}
        ids={ids}
        renderRow={renderRow}
        emptyText={t('meeting:chat.empty')}
        loadOlder={olderCursor === null ? null : loadOlder}
      />
      <ButtonBar view={view} strings={strings} locale={locale} placement="chat" />
      <ChatSendArea
        errorText={errorText}
        view={view}
        kind="message"
        replyTo={replyTo}
        onDone={() => setReplyTo(null)}
        correction={correction}
      />
    </div>
  )
}

// Messages of the server-rendered view, until the chat store is filled.
const initialMessages = new WeakMap<RoomView, readonly ChatMessageView[]>()

function initialMessagesOf(view: RoomView): readonly ChatMessageView[] {
  const known = initialMessages.get(view) ?? view.messages.filter(({ kind }) => kind === 'message')
  initialMessages.set(view, known)
  return known
}
