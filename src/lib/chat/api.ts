import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getConversation, listConversations } from './chat.ts'
import { listContacts } from './contacts.ts'
import { chatExportProcedures } from './export/api.ts'
import { startChatUpload } from './file/files.ts'
import { StartChatUpload, StartedChatUpload } from './file/schema.ts'
import { archiveConversation, leaveConversation } from './membership.ts'
import { deleteChatMessage, editChatMessage } from './message/change.ts'
import { listMessageEdits } from './message/edits.ts'
import { forwardMessage } from './message/forward.ts'
import { listMessages } from './message/messages.ts'
import { listPinned, pinChatMessage } from './message/pin.ts'
import { reactToMessage } from './message/reaction.ts'
import { markConversationRead } from './message/read.ts'
import { sendMessage } from './message/send.ts'
import { listThread } from './message/thread.ts'
import { moderationProcedures } from './moderation/api.ts'
import * as output from './output-schema.ts'
import { addConversationParticipants, listConversationParticipants } from './participants.ts'
import { getPresenceSettings, reportPresence, reportTyping, updatePresenceSettings } from './presence/presence.ts'
import { PresenceReport, PresenceSettings, ReportPresence } from './presence/schema.ts'
import { listReaders } from './readers.ts'
import { CHAT_ROLES } from './rules.ts'
import { scheduledProcedures } from './scheduled/api.ts'
import * as schema from './schema.ts'
import { findChatMessages } from './search/search.ts'
import { getChatSettings, updateChatSettings } from './settings.ts'
import { startConversation } from './start.ts'

const procedure = procedureForRoles(...CHAT_ROLES)

export const chatProcedures = {
  ...scheduledProcedures,
  ...moderationProcedures,
  ...chatExportProcedures,
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
  listThread: procedure
    .route({ summary: 'Returns the thread of a message in order' })
    .input(schema.ListThread)
    .output(output.ThreadPage)
    .handler(({ input, context }) => listThread(context.actor, input)),
  findMessages: procedure
    .route({ summary: 'Searches the messages of the conversations that the actor may read, the newest first' })
    .input(schema.FindChatMessages)
    .output(output.FoundChatMessages)
    .handler(({ input, context }) => findChatMessages(context.actor, input)),
  sendMessage: procedure
    .route({ summary: 'Sends a message; the same id again is the same message' })
    .input(schema.SendMessage)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => sendMessage(context.actor, input)),
  startUpload: procedure
    .route({ summary: 'Starts the upload of a file for a message' })
    .input(StartChatUpload)
    .output(StartedChatUpload)
    .handler(({ input, context }) => startChatUpload(context.actor, input)),
  editMessage: procedure
    .route({ summary: 'Replaces the text of an own message' })
    .input(schema.EditChatMessage)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => editChatMessage(context.actor, input)),
  listEdits: procedure
    .route({ summary: 'Returns the earlier texts of a message, the latest first' })
    .input(schema.MessageRef)
    .output(output.MessageEdits)
    .handler(({ input, context }) => listMessageEdits(context.actor, input)),
  deleteMessage: procedure
    .route({ summary: 'Deletes the text of a message' })
    .input(schema.MessageRef)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => deleteChatMessage(context.actor, input)),
  react: procedure
    .route({ summary: 'Adds or removes a reaction of the actor to a message' })
    .input(schema.ReactToChatMessage)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await reactToMessage(context.actor, input)
      return noOutput()
    }),
  pin: procedure
    .route({ summary: 'Pins a message in its conversation, or ends that' })
    .input(schema.PinChatMessage)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => pinChatMessage(context.actor, input)),
  listPinned: procedure
    .route({ summary: 'Returns the pinned messages of a conversation' })
    .input(schema.ConversationId)
    .output(output.PinnedMessages)
    .handler(({ input, context }) => listPinned(context.actor, input)),
  forwardMessage: procedure
    .route({ summary: 'Sends the text of a message to another conversation' })
    .input(schema.ForwardMessage)
    .output(output.ConversationMessageView)
    .handler(({ input, context }) => forwardMessage(context.actor, input)),
  listReaders: procedure
    .route({ summary: 'Returns readers of a conversation by name, and the number of its members' })
    .input(schema.ListReaders)
    .output(output.ReaderList)
    .handler(({ input, context }) => listReaders(context.actor, input)),
  markRead: procedure
    .route({ summary: 'Moves the read position of the actor in a conversation' })
    .input(schema.MarkConversationRead)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await markConversationRead(context.actor, input)
      return noOutput()
    }),
  archiveConversation: procedure
    .route({ summary: 'Archives a conversation for the actor, or ends that' })
    .input(schema.ArchiveConversation)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await archiveConversation(context.actor, input)
      return noOutput()
    }),
  leaveConversation: procedure
    .route({ summary: 'Leaves a conversation of the team' })
    .input(schema.ConversationId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await leaveConversation(context.actor, input)
      return noOutput()
    }),
  listParticipants: procedure
    .route({ summary: 'Returns who takes part in a conversation of the team, and who can be added' })
    .input(schema.ConversationId)
    .output(output.ParticipantList)
    .handler(({ input, context }) => listConversationParticipants(context.actor, input)),
  addParticipants: procedure
    .route({ summary: 'Adds team members to a conversation of the team, also those who left it' })
    .input(schema.AddParticipants)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await addConversationParticipants(context.actor, input)
      return noOutput()
    }),
  reportPresence: procedure
    .route({ summary: 'Stores that the actor is online, and returns whether the other participant is' })
    .input(ReportPresence)
    .output(PresenceReport)
    .handler(({ input, context }) => reportPresence(context.actor, input)),
  reportTyping: procedure
    .route({ summary: 'Shows the other participant of a direct conversation that the actor types' })
    .input(schema.ConversationId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await reportTyping(context.actor, input)
      return noOutput()
    }),
  getPresenceSettings: procedure
    .route({ summary: 'Returns what the actor shares of its activity' })
    .input(NoInput)
    .output(PresenceSettings)
    .handler(({ context }) => getPresenceSettings(context.actor)),
  updatePresenceSettings: procedure
    .route({ summary: 'Changes what the actor shares of its activity' })
    .input(PresenceSettings)
    .output(PresenceSettings)
    .handler(({ input, context }) => updatePresenceSettings(context.actor, input)),
  getSettings: procedure
    .route({ summary: 'Returns the settings of the chat' })
    .input(NoInput)
    .output(output.SchoolChatSettings)
    .handler(({ context }) => getChatSettings(context.actor)),
  updateSettings: procedure
    .route({ summary: 'Changes the settings of the chat' })
    .input(schema.UpdateChatSettings)
    .output(output.SchoolChatSettings)
    .handler(({ input, context }) => updateChatSettings(context.actor, input)),
}
