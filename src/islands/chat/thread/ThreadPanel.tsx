import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import { Button } from '#islands/ui/Button.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ChatOutbox, QueuedMessage } from '../chat-outbox.ts'
import type { ConversationReader } from '../chat-props.ts'
import { Composer } from '../composer/Composer.tsx'
import type { ComposerState } from '../composer/use-composer.ts'
import type { OpenThread } from '../conversation-store.ts'
import { type MessageHandlers, MessageItem } from '../MessageItem.tsx'
import { OutgoingMessages } from '../OutgoingMessages.tsx'
import { ScheduledMessages } from '../scheduled/ScheduledMessages.tsx'
import type { useScheduled } from '../scheduled/use-scheduled.ts'

interface Props {
  conversationId: string
  thread: OpenThread
  reader: ConversationReader
  canPost: boolean
  canMentionAll: boolean
  composer: ComposerState
  outgoing: readonly OutboxItem<QueuedMessage>[]
  outbox: RefObject<ChatOutbox | null>
  /** The planned replies of the reader in this thread. */
  scheduled: ReturnType<typeof useScheduled>
  handlers: MessageHandlers
  /** Sends the next reply later. */
  onSchedule(): void
  onMore(): void
  onClose(): void
  t: Translate
}

/** A thread next to the conversation: the message that began it, its replies, and a composer for the next one. */
export function ThreadPanel(props: Props) {
  const { conversationId, thread, reader, canPost, canMentionAll, composer, handlers, onMore, onClose, t } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { rootSeq } = thread
  const latest = thread.messages.at(-1)?.seq
  useEffect(() => {
    if (rootSeq) heading.current?.focus()
  }, [rootSeq])
  useEffect(() => {
    if (latest) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [latest])
  const known = new Set(thread.messages.map(({ id }) => id))
  const waiting = props.outgoing.filter(
    ({ id, payload }) => !known.has(id) && thread.messages.some(({ seq }) => seq === payload.replyTo),
  )
  return (
    <aside className="chat-thread" aria-labelledby="chat-thread-title">
      <header className="chat-thread-head">
        <h3 id="chat-thread-title" ref={heading} tabIndex={-1} className="min-w-0 flex-1 font-semibold">
          {t('chat:thread.title')}
        </h3>
        <IconButton icon={X} label={t('chat:thread.close')} onClick={onClose} />
      </header>
      <div className="chat-thread-messages" ref={list}>
        <ol className="chat-messages" aria-live="polite">
          {thread.messages.map((message) => (
            <MessageItem
              key={message.seq}
              idPrefix="thread-message"
              conversationId={conversationId}
              message={message}
              reader={reader}
              canPost={canPost}
              isLinked={false}
              isRead={false}
              handlers={handlers}
              t={t}
            />
          ))}
          <OutgoingMessages items={waiting} outbox={props.outbox} composer={composer} t={t} />
        </ol>
        {thread.next !== null && (
          <p className="p-3">
            <Button small onClick={onMore}>
              {t('chat:list.more')}
            </Button>
          </p>
        )}
      </div>
      <ScheduledMessages scheduled={props.scheduled} timeZone={reader.timeZone} locale={reader.locale} t={t} />
      {canPost && reader.canWrite && (
        <Composer
          conversationId={conversationId}
          messageId=""
          canMentionAll={canMentionAll}
          label={t('chat:thread.reply')}
          state={composer}
          locale={reader.locale}
          onSchedule={props.onSchedule}
          t={t}
        />
      )}
    </aside>
  )
}
