import './chat.css'
import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import { EmptyState } from '#islands/ui/EmptyState.tsx'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import type { ConversationMessage, ConversationProps } from './chat-props.ts'
import { Composer } from './composer/Composer.tsx'
import { useComposer } from './composer/use-composer.ts'
import { useOutgoing } from './composer/use-outgoing.ts'
import { createConversationStore } from './conversation-store.ts'
import { MessageDialogs } from './MessageDialogs.tsx'
import { MessageItem } from './MessageItem.tsx'
import { MessageList } from './MessageList.tsx'
import { MessageMenu, type OpenMenu } from './MessageMenu.tsx'
import { createMessageId } from './message-id.ts'
import { firstSeq, hasNewer } from './message-window.ts'
import { OutgoingMessages } from './OutgoingMessages.tsx'
import { PinnedMessages } from './PinnedMessages.tsx'
import { PresenceLine } from './presence/PresenceLine.tsx'
import { useChatPresence } from './presence/use-presence.ts'
import { ScheduleDialog } from './scheduled/ScheduleDialog.tsx'
import { ScheduledMessages } from './scheduled/ScheduledMessages.tsx'
import { useScheduled } from './scheduled/use-scheduled.ts'
import { ThreadPanel } from './thread/ThreadPanel.tsx'
import { useMessageActions } from './use-message-actions.ts'

export default asIsland('conversation', Conversation)

/** An open conversation: its messages, live, and the composer with a draft and an offline queue. */
function Conversation(props: ConversationProps) {
  const { conversation, messages, pinned, thread: openedThread, reader, linkedSeq, messageId, strings } = props
  const { id, kind, canPost, canPin, canMentionAll, firstSeq: oldestSeq, lastSeq, readSeq, otherReadSeq } = conversation
  const { memberId, locale, timeZone, canWrite } = reader
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const store = useMemo(
    () =>
      createConversationStore({
        conversationId: id,
        memberId,
        window: { messages, lastSeq, oldestSeq },
        pinned,
        otherReadSeq,
        readSeq,
        thread: openedThread,
      }),
    [id, memberId, messages, pinned, openedThread, oldestSeq, lastSeq, otherReadSeq, readSeq],
  )
  const window = useStore(store.$window)
  const pins = useStore(store.$pinned)
  const thread = useStore(store.$thread)
  const othersRead = useStore(store.$otherReadSeq)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  // The message for which a time is chosen: its id, and whether its text is in the composer of the thread.
  const [planning, setPlanning] = useState<{ messageId: string; isInThread: boolean } | null>(null)
  const { outbox, outgoing } = useOutgoing({ conversationId: id, memberId, canWrite, onSent: store.add })
  const presence = useChatPresence({
    conversationId: id,
    isDirect: kind === 'direct',
    canWrite,
    $activity: store.$activity,
  })
  const scheduled = useScheduled(id, props.scheduled, t)
  const composing = {
    conversationId: id,
    memberId,
    outbox,
    onTyped: presence.reportTyping,
    onChanged: store.replace,
    onQueued: () => {
      if (hasNewer(store.$window.get())) void store.jumpTo(null).catch(() => undefined)
    },
    locale,
    t,
  }
  const composer = useComposer({ ...composing, threadSeq: null })
  const threadComposer = useComposer({ ...composing, threadSeq: thread?.rootSeq ?? 0 })
  const actions = useMessageActions({
    conversation,
    reader,
    store,
    onReply: composer.reply,
    onEdit: composer.edit,
    t,
  })

  useEffect(() => store.connect(), [store])
  // A navigation of the router does not scroll the message of the address into view.
  useEffect(() => {
    if (linkedSeq) document.getElementById(`message-${linkedSeq}`)?.scrollIntoView({ block: 'center' })
  }, [linkedSeq])
  const jump = useCallback(
    async (seq: number) => {
      const find = () => document.getElementById(`message-${seq}`)
      if (!find()) await store.jumpTo(seq).catch(() => undefined)
      requestAnimationFrame(() => find()?.scrollIntoView({ block: 'center' }))
    },
    [store],
  )
  const known = new Set(window.messages.map((message) => message.id))
  const waiting = outgoing.filter((item) => !known.has(item.id))
  const lastRead = kind === 'direct' ? Math.min(othersRead ?? 0, window.lastSeq) : 0
  const handlers = {
    onReply: composer.reply,
    onMenu: (message: ConversationMessage, anchor: HTMLElement) => setMenu({ message, anchor }),
    onReact: actions.react,
    onJump: (seq: number) => void jump(seq),
    onEarlierTexts: actions.showEarlierTexts,
    onThread: actions.openThread,
  }
  const unsent = scheduled.messages.filter(({ messageId: plannedId }) => !known.has(plannedId))
  const planned = planning?.isInThread ? threadComposer : composer
  return (
    <div className="chat-columns" data-thread={thread ? '' : undefined}>
      <div className="chat-column">
        <PinnedMessages
          conversationId={id}
          messages={pins}
          canPin={canPin && canWrite}
          onJump={handlers.onJump}
          onUnpin={(message) => actions.pin(message, false)}
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
              idPrefix="message"
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
          <OutgoingMessages items={waiting} outbox={outbox} composer={composer} t={t} />
        </MessageList>
        {kind === 'direct' && <PresenceLine {...presence} timeZone={timeZone} locale={locale} t={t} />}
        <ScheduledMessages scheduled={{ ...scheduled, messages: unsent }} timeZone={timeZone} locale={locale} t={t} />
        {canPost && canWrite ? (
          <Composer
            conversationId={id}
            messageId={messageId}
            canMentionAll={canMentionAll}
            label={t('chat:composer.label')}
            state={composer}
            locale={locale}
            onSchedule={() => setPlanning({ messageId: createMessageId(), isInThread: false })}
            t={t}
          />
        ) : (
          <p className="chat-composer text-muted text-sm">{t('chat:composer.closed')}</p>
        )}
      </div>
      {thread && (
        <ThreadPanel
          conversationId={id}
          thread={thread}
          reader={reader}
          canPost={canPost}
          canMentionAll={canMentionAll}
          composer={threadComposer}
          outgoing={outgoing}
          outbox={outbox}
          scheduled={{ ...scheduled, messages: unsent.filter(({ reply }) => reply?.threadSeq === thread.rootSeq) }}
          handlers={{ ...handlers, onReply: threadComposer.reply, onThread: null }}
          onSchedule={() => setPlanning({ messageId: createMessageId(), isInThread: true })}
          onMore={() => void store.loadThread().catch(() => showFailure())}
          onClose={store.closeThread}
          t={t}
        />
      )}
      {menu && (
        <MessageMenu
          {...menu}
          actions={actions.menuOf(menu.message)}
          onReact={(reaction) => actions.react(menu.message, reaction)}
          onClose={() => setMenu(null)}
          t={t}
        />
      )}
      <MessageDialogs conversationId={id} reader={reader} actions={actions} t={t} />
      {planning && (
        <ScheduleDialog
          title={t('chat:scheduled.title')}
          body={planned.text}
          files={planned.files.items}
          onRemoveFile={planned.files.remove}
          sendAt={null}
          timeZone={timeZone}
          locale={locale}
          onSave={(input) => planned.schedule({ ...input, messageId: planning.messageId })}
          onSaved={(message) => {
            scheduled.replace(message)
            showSuccess(t('chat:scheduled.saved'))
          }}
          onClose={() => setPlanning(null)}
          t={t}
        />
      )}
    </div>
  )
}
