import { sendMessage } from '#lib/chat/message/send.ts'
import { SendMessage, StartConversation, UpdateChatSettings } from '#lib/chat/schema.ts'
import { updateChatSettings } from '#lib/chat/settings.ts'
import { startConversation } from '#lib/chat/start.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FormActions } from '../_request/form-actions.ts'

/** The forms of the chat; each works without scripts. */
export function chatActions(actor: Actor): FormActions {
  return {
    async start(form) {
      const input = { ...Object.fromEntries(form), memberIds: form.getAll('memberIds') }
      const { conversationId } = await startConversation(actor, StartConversation.parse(input))
      return `/chat?conversation=${conversationId}`
    },
    async send(form) {
      const { conversationId } = await sendOnce(actor, form)
      return `/chat?conversation=${conversationId}`
    },
    async saveSettings(form) {
      await updateChatSettings(actor, UpdateChatSettings.parse(Object.fromEntries(form)))
      return '/chat?view=settings&saved=1'
    },
  }
}

async function sendOnce(actor: Actor, form: FormData): Promise<SendMessage> {
  const input = SendMessage.parse(Object.fromEntries(form))
  await sendMessage(actor, input)
  return input
}
