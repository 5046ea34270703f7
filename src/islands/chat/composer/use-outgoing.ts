import { type RefObject, useEffect, useRef, useState } from 'react'
import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import { type ChatOutbox, createChatOutbox, type QueuedMessage } from '../chat-outbox.ts'
import type { ConversationMessage } from '../chat-props.ts'

interface Options {
  conversationId: string
  memberId: string
  canWrite: boolean
  onSent(message: ConversationMessage): void
}

/** The offline queue of the member, and its messages of this conversation. */
export function useOutgoing({ conversationId, memberId, canWrite, onSent }: Options): {
  outbox: RefObject<ChatOutbox | null>
  outgoing: readonly OutboxItem<QueuedMessage>[]
} {
  const [items, setItems] = useState<readonly OutboxItem<QueuedMessage>[]>([])
  const outbox = useRef<ChatOutbox>(null)
  useEffect(() => {
    if (!canWrite) return undefined
    const opened = createChatOutbox(memberId, {
      onChange: setItems,
      onSent: (message, sentTo) => sentTo === conversationId && onSent(message),
    })
    outbox.current = opened
    return () => opened.close()
  }, [memberId, conversationId, onSent, canWrite])
  return { outbox, outgoing: items.filter(({ payload }) => payload.conversationId === conversationId) }
}
