import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import type { MessageReaction } from '#lib/chat/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type Conversation, type ConversationMessage, type ConversationReader, QUIET_CALL } from './chat-props.ts'
import type { createConversationStore } from './conversation-store.ts'
import type { ChatMessageAction } from './MessageMenu.tsx'
import { messageHref } from './message-href.ts'

/** What a dialog asks about. */
export type MessageQuestion = 'delete' | 'forward' | 'report' | 'ban' | 'edits'

interface Options {
  conversation: Pick<Conversation, 'id' | 'canPost' | 'canPin'>
  reader: ConversationReader
  store: ReturnType<typeof createConversationStore>
  onReply(message: ConversationMessage): void
  onEdit(message: ConversationMessage): void
  t: Translate
}

/** The actions on messages of an open conversation, and the question that a dialog asks about one of them. */
export function useMessageActions({ conversation, reader, store, onReply, onEdit, t }: Options) {
  const { id: conversationId, canPost, canPin } = conversation
  const [question, setQuestion] = useState<{ kind: MessageQuestion; message: ConversationMessage } | null>(null)
  const fail = (failure: unknown) => showFailure(CallError.from(failure).message)

  const react = (message: ConversationMessage, reaction: MessageReaction) => {
    const isSet = !message.ownReactions.includes(reaction)
    api.chat
      .react({ conversationId, seq: message.seq, reaction, isSet }, QUIET_CALL)
      .then(() => store.react(message.seq, reaction, isSet), fail)
  }
  const pin = (message: ConversationMessage, isPinned: boolean) => {
    api.chat.pin({ conversationId, seq: message.seq, isPinned }, QUIET_CALL).then(store.replace, fail)
  }
  const openThread = (message: ConversationMessage) => void store.openThread(message.seq).catch(fail)
  const copyLink = ({ seq }: ConversationMessage) =>
    navigator.clipboard.writeText(new URL(messageHref(conversationId, seq), location.href).href).then(
      () => showSuccess(t('chat:action.copied')),
      () => showFailure(),
    )
  const menuOf = (message: ConversationMessage): ChatMessageAction[] => {
    const isMine = message.authorId === reader.memberId
    const hasText = message.body !== ''
    const ask = (kind: MessageQuestion) => () => setQuestion({ kind, message })
    const offered: (ChatMessageAction | false)[] = [
      canPost && { key: 'reply', run: () => onReply(message) },
      { key: 'thread', run: () => openThread(message) },
      (hasText || message.files.length > 0) && { key: 'forward', run: ask('forward') },
      canPin && { key: message.isPinned ? 'unpin' : 'pin', run: () => pin(message, !message.isPinned) },
      { key: 'copyLink', run: () => void copyLink(message) },
      isMine && hasText && { key: 'edit', run: () => onEdit(message) },
      !isMine && { key: 'report', run: ask('report') },
      !(isMine || message.isStaff) && reader.canBan && { key: 'ban', run: ask('ban') },
      (isMine || reader.moderates) && { key: 'delete', run: ask('delete') },
    ]
    return offered.filter((action) => action !== false)
  }
  return {
    react,
    pin,
    openThread,
    menuOf,
    question,
    endQuestion: () => setQuestion(null),
    showEarlierTexts: (message: ConversationMessage) => setQuestion({ kind: 'edits', message }),
    remove(message: ConversationMessage) {
      setQuestion(null)
      api.chat.deleteMessage({ conversationId, seq: message.seq }, QUIET_CALL).then(store.replace, () => showFailure())
    },
    ban({ authorId, author }: ConversationMessage) {
      setQuestion(null)
      api.chat
        .banMember({ conversationId, memberId: authorId }, QUIET_CALL)
        .then(() => showSuccess(t('chat:ban.done', { name: author })), fail)
    },
  }
}
