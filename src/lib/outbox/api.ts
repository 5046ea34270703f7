import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { discardOutgoingMessage, editMessage, holdMessage, recallMessage, scheduleMessage } from './changes.ts'
import { getOutgoingMessage, listOutgoingMessages } from './outbox.ts'
import { ListOutgoingMessagesOutput, OutgoingMessageView, RecallMessageOutput } from './output-schema.ts'
import { EditMessage, GetMessage, ListOutgoingMessages, OutgoingMessageId } from './schema.ts'

const administrator = procedureForRoles('OWNER', 'DIRECTOR')
/** Authors of announcements see and change their own. */
const author = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

export const outbox = {
  list: administrator
    .route({ summary: 'Returns a page of the outgoing messages of the school, the newest first' })
    .input(ListOutgoingMessages)
    .output(ListOutgoingMessagesOutput)
    .handler(({ input, context }) => listOutgoingMessages(context.actor, input)),

  get: author
    .route({ summary: 'Returns an outgoing message with a page of its recipients' })
    .input(GetMessage)
    .output(OutgoingMessageView)
    .handler(({ input, context }) => getOutgoingMessage(context.actor, input)),

  edit: author
    .route({ summary: 'Changes subject and text of a message that waits' })
    .input(EditMessage)
    .output(OutgoingMessageId)
    .handler(({ input, context }) => editMessage(context.actor, input)),

  hold: author
    .route({ summary: 'Holds a message until it is sent by hand' })
    .input(OutgoingMessageId)
    .output(OutgoingMessageId)
    .handler(({ input, context }) => holdMessage(context.actor, input)),

  send: author
    .route({ summary: 'Sends a message after a minute, in which it can be recalled' })
    .input(OutgoingMessageId)
    .output(OutgoingMessageId)
    .handler(({ input, context }) => scheduleMessage(context.actor, input)),

  recall: author
    .route({ summary: 'Recalls the emails of a message that have not left yet' })
    .input(OutgoingMessageId)
    .output(RecallMessageOutput)
    .handler(({ input, context }) => recallMessage(context.actor, input)),

  discard: author
    .route({ summary: 'Deletes a draft' })
    .input(OutgoingMessageId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await discardOutgoingMessage(context.actor, input)
      return noOutput()
    }),
}
