import './chat.css'
import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'
import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { EmptyState } from '#islands/ui/EmptyState.tsx'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { Composer, type ComposerTarget } from './Composer.tsx'
import { readConversationDraft, saveConversationDraft } from './chat-draft.ts'
import { type ChatOutbox, createChatOutbox, type QueuedMessage } from './chat-outbox.ts'
import { type ConversationMessage, type ConversationProps, QUIET_CALL } from './chat-props.ts'
import { createConversationStore } from './conversation-store.ts'
import { MessageItem } from './MessageItem.tsx'
import { MessageList } from './MessageList.tsx'
import { firstSeq, hasNewer } from './message-window.ts'
import { OutgoingMessages } from './OutgoingMessages.tsx'

export default asIsland('conversation', Conversation)

/** An open conversation: its messages, live, and the composer with a draft and an offline queue. */
function Conversation({ conversation, messages, reader, messageId, strings }: ConversationProps) {
  const { id, kind, canPost, lastSeq, readSeq, otherReadSeq } = conversation
  const { memberId } = reader
  const t = useMemo(() => createTranslator(strings, reader.locale), [strings, reader.locale])
  const store = useMemo(
    () =>
      createConversationStore({ conversationId: id, memberId, window: { messages, lastSeq }, otherReadSeq, readSeq }),
    [id, memberId, messages, lastSeq, otherReadSeq, readSeq],
  )
  const window = useStore(store.$window)
  const othersRead = useStore(store.$otherReadSeq)
  const [outgoing, setOutgoing] = useState<readonly OutboxItem<QueuedMessage>[]>([])
  const [text, setText] = useState('')
  const [target, setTarget] = useState<ComposerTarget | null>(null)
  const [deleted, setDeleted] = useState<ConversationMessage | null>(null)
  const [error, setError] = useState<string | null>(null)
  const outbox = useRef<ChatOutbox>(null)

  useEffect(() => store.connect(), [store])
  useEffect(() => {
    if (!reader.canWrite) return undefined
    const opened = createChatOutbox(memberId, {
      onChange: setOutgoing,
      onSent: (message, conversationId) => conversationId === id && store.add(message),
    })
    outbox.current = opened
    return () => opened.close()
  }, [memberId, id, store, reader.canWrite])
  useEffect(() => setText((typed) => typed || readConversationDraft(memberId, id)), [memberId, id])

  const type = (next: string) => {
    setText(next)
    setError(null)
    if (target?.mode !== 'edit') saveConversationDraft(memberId, id, next)
  }
  const cancel = () => {
    setTarget(null)
    setText(readConversationDraft(memberId, id))
  }
  const submit = async () => {
    const body = text.trim()
    if (body === '') return
    if (target?.mode === 'edit') {
      try {
        store.replace(await api.chat.editMessage({ conversationId: id, seq: target.message.seq, body }, QUIET_CALL))
        cancel()
      } catch (failure) {
        setError(CallError.from(failure).message || t('chat:composer.failed'))
      }
      return
    }
    outbox.current?.add({ conversationId: id, body, ...(target ? { replyTo: target.message.seq } : {}) })
    setTarget(null)
    type('')
    if (hasNewer(window)) void store.jumpTo(null).catch(() => undefined)
  }
  const remove = (message: ConversationMessage) => {
    setDeleted(null)
    api.chat
      .deleteMessage({ conversationId: id, seq: message.seq }, QUIET_CALL)
      .then(store.replace, () => showFailure())
  }
  const jump = useCallback(
    async (seq: number) => {
      const find = () => document.getElementById(`message-${seq}`)
      if (!find()) await store.jumpTo(seq).catch(() => undefined)
      requestAnimationFrame(() => find()?.scrollIntoView({ block: 'center' }))
    },
    [store],
  )
  const known = new Set(window.messages.map((message) => message.id))
  const waiting = outgoing.filter((item) => item.payload.conversationId === id && !known.has(item.id))
  const lastRead = kind === 'direct' ? Math.min(othersRead ?? 0, window.lastSeq) : 0
  const actions = {
    onReply: (message: ConversationMessage) => setTarget({ mode: 'reply', message }),
    onEdit: (message: ConversationMessage) => {
      setTarget({ mode: 'edit', message })
      setText(message.body)
    },
    onDelete: setDeleted,
    onJump: (seq: number) => void jump(seq),
  }
  return (
    <>
      <MessageList
        window={window}
        olderHref={`/chat?conversation=${id}&before=${firstSeq(window)}`}
        onOlder={store.loadOlder}
        onNewer={store.loadNewer}
        onLatest={() => store.jumpTo(null).catch(() => void showFailure())}
        onSeen={store.markRead}
        t={t}
      >
        {window.messages.length === 0 && waiting.length === 0 && (
          <li>
            <EmptyState title={t('chat:stream.empty')} text={t(`chat:stream.emptyHint.${kind}`)} />
          </li>
        )}
        {window.messages.map((message) => (
          <MessageItem
            key={message.seq}
            conversationId={id}
            message={message}
            reader={reader}
            canPost={canPost}
            isRead={message.authorId === memberId && message.seq === lastRead}
            actions={actions}
            t={t}
          />
        ))}
        <OutgoingMessages
          items={waiting}
          onRetry={(item) => outbox.current?.retry(item)}
          onDiscard={(item) => setText(outbox.current?.discard(item)?.payload.body ?? '')}
          t={t}
        />
      </MessageList>
      {canPost && reader.canWrite ? (
        <Composer
          conversationId={id}
          messageId={messageId}
          text={text}
          target={target}
          error={error}
          onType={type}
          onSubmit={() => void submit()}
          onCancel={cancel}
          t={t}
        />
      ) : (
        <p className="chat-composer text-muted text-sm">{t('chat:composer.closed')}</p>
      )}
      <Dialog
        title={t('chat:delete.title')}
        text={t('chat:delete.text')}
        open={deleted !== null}
        onOpenChange={(open) => !open && setDeleted(null)}
        closeLabel={t('chat:delete.cancel')}
        actions={(close) => (
          <>
            {close}
            <Button tone="danger" onClick={() => deleted && remove(deleted)}>
              {t('chat:delete.confirm')}
            </Button>
          </>
        )}
      />
    </>
  )
}
