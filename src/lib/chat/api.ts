import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getConversation, listConversations } from './chat.ts'
import { listContacts } from './contacts.ts'
import { deleteChatMessage, editChatMessage } from './message/change.ts'
import { listMessages } from './message/messages.ts'
import { markConversationRead } from './message/read.ts'
import { sendMessage } from './message/send.ts'
import * as output from './output-schema.ts'
import { CHAT_ROLES } from './rules.ts'
import * as schema from './schema.ts'
import { getChatSettings, updateChatSettings } from './settings.ts'
import { startConversation } from './start.ts'

const procedure = procedureForRoles(...CHAT_ROLES)

export const chatProcedures = {
  listConversations: procedure
    .route({ summary: 'Returns the conversations of the actor, the latest active first' })
    .input(schema.ListConversations)
    .output(output.ConversationPage)
    .handler(({ input, context }) => listConversations(context.actor, input)),
  getConversation: procedure
    .route({ summary: 'Returns a conversation' })
    .input(schema.ConversationId)
    .output(output.ConversationView)
    .handler(({ input, context }) => getConversation(context.actor, input)),
  startConversation: procedure
    .route({ summary: 'Opens the conversation about a subject, and creates it when there is none' })
    .input(schema.StartConversation)
    .output(output.Started)
    .handler(({ input, context }) => startConversation(context.actor, input)),
  listContacts: procedure
    .route({ summary: 'Returns whom the actor may write to' })
    .input(schema.ListContacts)
    .output(output.ContactList)
    .handler(({ input, context }) => listContacts(context.actor, input)),
  listMessages: procedure
    .route({ summary: 'Returns messages of a conversation in order' })
    .input(schema.ListMessages)
    .output(output.MessagePage)
    .handler(({ input, context }) => listMessages(context.actor, input)),
  sendMessage: procedure
    .route({ summary: 'Sends a message; the same id again is the same message' })
    .input(schema.SendMessage)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => sendMessage(context.actor, input)),
  editMessage: procedure
    .route({ summary: 'Replaces the text of an own message' })
    .input(schema.EditChatMessage)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => editChatMessage(context.actor, input)),
  deleteMessage: procedure
    .route({ summary: 'Deletes the text of a message' })
    .input(schema.MessageRef)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => deleteChatMessage(context.actor, input)),
  markRead: procedure
    .route({ summary: 'Moves the read position of the actor in a conversation' })
    .input(schema.MarkConversationRead)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await markConversationRead(context.actor, input)
      return noOutput()
    }),
  getSettings: procedure
    .route({ summary: 'Returns the settings of the chat' })
    .input(NoInput)
    .output(output.ContactSettings)
    .handler(({ context }) => getChatSettings(context.actor)),
  updateSettings: procedure
    .route({ summary: 'Changes the settings of the chat' })
    .input(schema.UpdateChatSettings)
    .output(output.ContactSettings)
    .handler(({ input, context }) => updateChatSettings(context.actor, input)),
}
