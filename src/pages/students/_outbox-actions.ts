import type { Actor } from '#lib/core/shared/actor.ts'
import {
  discardOutgoingMessage,
  editMessage,
  holdMessage,
  recallMessage,
  scheduleMessage,
} from '#lib/outbox/changes.ts'
import { EditMessage } from '#lib/outbox/schema.ts'
import { formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'

const OUTBOX_PATH = '/students?tab=outbox'

/** The URL of a message in the outbox. */
export const messagePath = (messageId: string): string => `${OUTBOX_PATH}&message=${messageId}`

/** Form actions of a message; each returns the path to show next. `pathOf`: the page that shows the message. */
export function outboxActions(actor: Actor, pathOf = messagePath, listPath = OUTBOX_PATH) {
  const messageOf = (form: FormData) => ({ messageId: parseId(formText(form, 'messageId')) })
  const change =
    (run: (actor: Actor, input: { messageId: string }) => Promise<unknown>, notice: string) =>
    async (form: FormData) => {
      const input = messageOf(form)
      await run(actor, input)
      return `${pathOf(input.messageId)}&notice=${notice}`
    }
  return {
    sendMessage: change(scheduleMessage, 'scheduled'),
    holdMessage: change(holdMessage, 'held'),
    recallMessage: change(recallMessage, 'recalled'),
    editMessage: async (form: FormData) => {
      const { messageId } = await editMessage(actor, EditMessage.parse(Object.fromEntries(form)))
      return `${pathOf(messageId)}&notice=saved`
    },
    discardMessage: async (form: FormData) => {
      await discardOutgoingMessage(actor, messageOf(form))
      return listPath
    },
  }
}
