import './chat.css'
import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { EmptyState } from '#islands/ui/EmptyState.tsx'
import type { MessageReaction } from '#lib/chat/schema.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { Composer, type ComposerTarget } from './Composer.tsx'
import { readConversationDraft, saveConversationDraft } from './chat-draft.ts'
import { type ChatOutbox, createChatOutbox, type QueuedMessage } from './chat-outbox.ts'
import { type ConversationMessage, type ConversationProps, QUIET_CALL } from './chat-props.ts'
import { createConversationStore } from './conversation-store.ts'
import { ForwardDialog } from './ForwardDialog.tsx'
import { MentionAllDialog } from './MentionAllDialog.tsx'
import { MessageItem } from './MessageItem.tsx'
import { MessageList } from './MessageList.tsx'
import { type ChatMessageAction, MessageMenu, type OpenMenu } from './MessageMenu.tsx'
import { messageHref } from './message-href.ts'
import { firstSeq, hasNewer } from './message-window.ts'
import { OutgoingMessages } from './OutgoingMessages.tsx'
import { PinnedMessages } from './PinnedMessages.tsx'
import type { MentionChoice } from './use-mentions.ts'
import { useMessageFiles } from './use-message-files.ts'

export default asIsland('conversation', Conversation)

/** An open conversation: its messages, live, and the composer with a draft and an offline queue. */
function Conversation({ conversation, messages, pinned, reader, linkedSeq, messageId, strings }: ConversationProps) {
  const { id, kind, canPost, canPin, canMentionAll, lastSeq, readSeq, otherReadSeq } = conversation
  const { memberId } = reader
  const t = useMemo(() => createTranslator(strings, reader.locale), [strings, reader.locale])
  const store = useMemo(
    () =>
      createConversationStore({
        conversationId: id,
        memberId,
        window: { messages, lastSeq },
        pinned,
        otherReadSeq,
        readSeq,
      }),
    [id, memberId, messages, pinned, lastSeq, otherReadSeq, readSeq],
  )
  const window = useStore(store.$window)
  const pins = useStore(store.$pinned)
  const othersRead = useStore(store.$otherReadSeq)
  const [outgoing, setOutgoing] = useState<readonly OutboxItem<QueuedMessage>[]>([])
  const [text, setText] = useState('')
  const [target, setTarget] = useState<ComposerTarget | null>(null)
  const [deleted, setDeleted] = useState<ConversationMessage | null>(null)
  const [forwarded, setForwarded] = useState<ConversationMessage | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  // Who was chosen from the list after `@`; a choice counts while the text has the name.
  const [mentioned, setMentioned] = useState<readonly MentionChoice[]>([])
  const [isConfirmingAll, setConfirmingAll] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const outbox = useRef<ChatOutbox>(null)
  const files = useMessageFiles(id, t, reader.locale)

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
  // A navigation of the router does not scroll the message of the address into view.
  useEffect(() => {
    if (linkedSeq) document.getElementById(`message-${linkedSeq}`)?.scrollIntoView({ block: 'center' })
  }, [linkedSeq])
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
    if (body === '' && files.items.length === 0) return
    if (target?.mode === 'edit') {
      try {
        store.replace(await api.chat.editMessage({ conversationId: id, seq: target.message.seq, body }, QUIET_CALL))
        cancel()
      } catch (failure) {
        setError(CallError.from(failure).message || t('chat:composer.failed'))
      }
      return
    }
    if (!files.isReady) return setError(t('chat:files.waiting'))
    if (mentionsIn(body).some(({ memberId: mentionedId }) => mentionedId === null)) setConfirmingAll(true)
    else send(body)
  }
  const mentionsIn = (body: string) => mentioned.filter(({ name }) => body.includes(`@${name}`))
  const send = (body: string) => {
    const chosen = mentionsIn(body)
    outbox.current?.add({
      conversationId: id,
      body,
      mentions: chosen.flatMap((choice) => choice.memberId ?? []),
      mentionsAll: chosen.some((choice) => choice.memberId === null),
      fileIds: files.take(),
      ...(target ? { replyTo: target.message.seq } : {}),
    })
    setTarget(null)
    setMentioned([])
    type('')
    if (hasNewer(window)) void store.jumpTo(null).catch(() => undefined)
  }
  const react = (message: ConversationMessage, reaction: MessageReaction) => {
    const isSet = !message.ownReactions.includes(reaction)
    api.chat.react({ conversationId: id, seq: message.seq, reaction, isSet }, QUIET_CALL).then(
      () => store.react(message.seq, reaction, isSet),
      (failure) => showFailure(CallError.from(failure).message),
    )
  }
  const pin = (message: ConversationMessage, isPinned: boolean) => {
    api.chat
      .pin({ conversationId: id, seq: message.seq, isPinned }, QUIET_CALL)
      .then(store.replace, (failure) => showFailure(CallError.from(failure).message))
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
  const handlers = {
    onReply: (message: ConversationMessage) => setTarget({ mode: 'reply', message }),
    onMenu: (message: ConversationMessage, anchor: HTMLElement) => setMenu({ message, anchor }),
    onReact: react,
    onJump: (seq: number) => void jump(seq),
  }
  const menuActions = (message: ConversationMessage): ChatMessageAction[] => {
    const isMine = message.authorId === memberId
    const link = new URL(messageHref(id, message.seq), location.href).href
    return [
      ...(canPost ? [{ key: 'reply' as const, run: () => handlers.onReply(message) }] : []),
      ...(message.body === '' ? [] : [{ key: 'forward' as const, run: () => setForwarded(message) }]),
      ...(canPin
        ? [
            {
              key: message.isPinned ? ('unpin' as const) : ('pin' as const),
              run: () => pin(message, !message.isPinned),
            },
          ]
        : []),
      { key: 'copyLink', run: () => void copyLink(link) },
      ...(isMine && message.body !== '' ? [{ key: 'edit' as const, run: () => edit(message) }] : []),
      ...(isMine || reader.moderates ? [{ key: 'delete' as const, run: () => setDeleted(message) }] : []),
    ]
  }
  const copyLink = (link: string) =>
    navigator.clipboard.writeText(link).then(
      () => showSuccess(t('chat:action.copied')),
      () => showFailure(),
    )
  const edit = (message: ConversationMessage) => {
    setTarget({ mode: 'edit', message })
    setText(message.body)
  }
  return (
    <>
      <PinnedMessages
        conversationId={id}
        messages={pins}
        canPin={canPin && reader.canWrite}
        onJump={handlers.onJump}
        onUnpin={(message) => pin(message, false)}
        t={t}
      />
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
            isLinked={message.seq === linkedSeq}
            isRead={message.authorId === memberId && message.seq === lastRead}
            handlers={handlers}
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
          canMentionAll={canMentionAll}
          files={files}
          locale={reader.locale}
          text={text}
          target={target}
          error={error}
          onType={type}
          onMention={(choice) => setMentioned((all) => [...all, choice])}
          onSubmit={() => void submit()}
          onCancel={cancel}
          t={t}
        />
      ) : (
        <p className="chat-composer text-muted text-sm">{t('chat:composer.closed')}</p>
      )}
      {menu && (
        <MessageMenu
          {...menu}
          actions={menuActions(menu.message)}
          onReact={(reaction) => react(menu.message, reaction)}
          onClose={() => setMenu(null)}
          t={t}
        />
      )}
      {forwarded && <ForwardDialog conversationId={id} message={forwarded} onClose={() => setForwarded(null)} t={t} />}
      {isConfirmingAll && (
        <MentionAllDialog
          conversationId={id}
          onClose={() => setConfirmingAll(false)}
          onConfirm={() => {
            setConfirmingAll(false)
            send(text.trim())
          }}
          t={t}
        />
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
