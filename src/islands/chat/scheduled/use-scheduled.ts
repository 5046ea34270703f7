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
  return {
    messages,
    replace,
    /** After a message of the member has appeared. */
    remove: (id: string) => setMessages((all) => all.filter(({ messageId }) => messageId !== id)),
    async cancel({ messageId }: ScheduledMessage): Promise<boolean> {
      try {
        await api.chat.cancelScheduled({ messageId }, QUIET_CALL)
        setMessages((all) => all.filter((each) => each.messageId !== messageId))
        showSuccess(t('chat:scheduled.canceled'))
        return true
      } catch (failure) {
        const { code, message } = CallError.from(failure)
        showFailure(code === 'not_found' ? t('chat:scheduled.gone') : message)
        await reload()
        return false
      }
    },
  }
}
