import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { QUIET_CALL, type ScheduledMessage } from '../chat-props.ts'

/** The planned messages of the member in a conversation. */
export function useScheduled(conversationId: string, initial: readonly ScheduledMessage[], t: Translate) {
  const [messages, setMessages] = useState(initial)
  const replace = (changed: ScheduledMessage) =>
    setMessages((all) =>
      [...all.filter(({ messageId }) => messageId !== changed.messageId), changed].toSorted((a, b) =>
        a.sendAt < b.sendAt ? -1 : 1,
      ),
    )
  const reload = async () => {
    const list = await api.chat.listScheduled({ conversationId }, QUIET_CALL).catch(() => null)
    if (list) setMessages(list.messages)
  }
  const removeFrom = (id: string) => setMessages((all) => all.filter(({ messageId }) => messageId !== id))
  /** Removes a message from the list after a request; after one that was refused, the list is loaded again. */
  const removeBy = async (messageId: string, request: () => Promise<unknown>, success: string): Promise<boolean> => {
    try {
      await request()
      removeFrom(messageId)
      if (success) showSuccess(success)
      return true
    } catch (failure) {
      const { code, message } = CallError.from(failure)
      showFailure(code === 'not_found' ? t('chat:scheduled.gone') : message)
      await reload()
      return false
    }
  }
  return {
    messages,
    replace,
    /** Sends a reply by email that waited; it appears as a message. */
    release: ({ messageId }: ScheduledMessage) =>
      removeBy(messageId, () => api.chat.releaseReply({ messageId }, QUIET_CALL), ''),
    /** After a message of the member has appeared. */
    remove: removeFrom,
    cancel: ({ messageId }: ScheduledMessage) =>
      removeBy(messageId, () => api.chat.cancelScheduled({ messageId }, QUIET_CALL), t('chat:scheduled.canceled')),
  }
}
