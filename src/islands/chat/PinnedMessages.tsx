import { ChevronDown, Pin, X } from 'lucide-react'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ConversationMessage } from './chat-props.ts'
import { messageHref } from './message-href.ts'

interface Props {
  conversationId: string
  messages: readonly ConversationMessage[]
  canPin: boolean
  onJump(seq: number): void
  onUnpin(message: ConversationMessage): void
  t: Translate
}

/** The pinned messages of a conversation, as one line that opens to a list. */
export function PinnedMessages({ conversationId, messages, canPin, onJump, onUnpin, t }: Props) {
  const [latest] = messages
  if (!latest) return null
  return (
    <details className="chat-pinned">
      <summary>
        <Pin size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="whitespace-nowrap font-semibold">{t('chat:pinned.count', { count: messages.length })}</span>
        <span className="min-w-0 flex-1 truncate text-muted">{messagePlainText(latest.body)}</span>
        <ChevronDown size={18} strokeWidth={1.75} className="chat-disclosure" aria-hidden="true" />
      </summary>
      <ul>
        {messages.map((message) => (
          <li key={message.seq} className="flex items-center gap-2">
            <a
              href={messageHref(conversationId, message.seq)}
              className="min-w-0 flex-1 truncate hover:underline"
              onClick={(event) => {
                event.preventDefault()
                onJump(message.seq)
              }}
            >
              <strong>{message.author}</strong> {messagePlainText(message.body)}
            </a>
            {canPin && <IconButton icon={X} label={t('chat:action.unpin')} onClick={() => onUnpin(message)} />}
          </li>
        ))}
      </ul>
    </details>
  )
}
