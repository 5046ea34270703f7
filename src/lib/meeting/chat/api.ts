import { NoOutput, noOutput, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { getReplay } from '../recording/finished.ts'
import { answerQuestion, approveMessage, deleteMessage, pinMessage, setAnswering } from './actions.ts'
import { getHandout } from './handout.ts'
import { exportChat, findMessages, listChatMessages } from './message-pages.ts'
import { banPerson, isolatePerson, mutePerson } from './moderation.ts'
import {
  ChatMessagePage,
  ExportChatOutput,
  GetHandoutOutput,
  GetReplayOutput,
  PeopleView,
  SentMessageView,
} from './output-schema.ts'
import { listPeople } from './participants.ts'
import {
  AnswerQuestion,
  BanPerson,
  ChatMessageId,
  FindMessages,
  GetHandout,
  IsolatePerson,
  ListChatMessages,
  ListPeople,
  MutePerson,
  PinMessage,
  ReactToMessage,
  Seat,
  SendChatMessage,
  SetAnswering,
} from './schema.ts'
import { addReaction, sendChatMessage } from './send-message.ts'

/** Procedures of the chat. The seat token authorizes the caller, since guests have no account. */
export const chatCalls = {
  sendMessage: publicProcedure
    .route({ summary: 'Sends a message or asks a question' })
    .input(SendChatMessage)
    .output(SentMessageView)
    .handler(({ input }) => sendChatMessage(input)),
  react: publicProcedure
    .route({ summary: 'Adds or removes a reaction to a message, a vote for a question, or applause for the stage' })
    .input(ReactToMessage)
    .output(NoOutput)
    .handler(({ input }) => addReaction(input).then(noOutput)),
  listMessages: publicProcedure
    .route({ summary: 'Returns a page of the chat as the participant sees it' })
    .input(ListChatMessages)
    .output(ChatMessagePage)
    .handler(({ input }) => listChatMessages(input)),
  findMessages: publicProcedure
    .route({ summary: 'Returns a page of messages that match the search' })
    .input(FindMessages)
    .output(ChatMessagePage)
    .handler(({ input }) => findMessages(input)),
  pinMessage: publicProcedure
    .route({ summary: 'Pins a message for everybody, or unpins it' })
    .input(PinMessage)
    .output(NoOutput)
    .handler(({ input }) => pinMessage(input).then(noOutput)),
  deleteMessage: publicProcedure
    .route({ summary: 'Deletes a message' })
    .input(ChatMessageId)
    .output(NoOutput)
    .handler(({ input }) => deleteMessage(input).then(noOutput)),
  approveMessage: publicProcedure
    .route({ summary: 'Approves a message' })
    .input(ChatMessageId)
    .output(NoOutput)
    .handler(({ input }) => approveMessage(input).then(noOutput)),
  setAnswering: publicProcedure
    .route({ summary: 'Sets the question that is being answered now' })
    .input(SetAnswering)
    .output(NoOutput)
    .handler(({ input }) => setAnswering(input).then(noOutput)),
  answerQuestion: publicProcedure
    .route({ summary: 'Answers a question in writing, or marks it as answered aloud (empty text)' })
    .input(AnswerQuestion)
    .output(NoOutput)
    .handler(({ input }) => answerQuestion(input).then(noOutput)),
  mutePerson: publicProcedure
    .route({ summary: 'Mutes a participant for a number of minutes' })
    .input(MutePerson)
    .output(NoOutput)
    .handler(({ input }) => mutePerson(input).then(noOutput)),
  isolatePerson: publicProcedure
    .route({ summary: 'Isolates a participant' })
    .input(IsolatePerson)
    .output(NoOutput)
    .handler(({ input }) => isolatePerson(input).then(noOutput)),
  banPerson: publicProcedure
    .route({ summary: 'Bans a participant on every account and device of theirs in this session, or lifts the ban' })
    .input(BanPerson)
    .output(NoOutput)
    .handler(({ input }) => banPerson(input).then(noOutput)),
  getReplay: publicProcedure
    .route({ summary: 'Returns whether the recording is available, for a page that waits for it' })
    .input(Seat)
    .output(GetReplayOutput)
    .handler(({ input }) => getReplay(input)),
  getHandout: publicProcedure
    .route({ summary: 'Returns the URL of a handout that is shown now' })
    .input(GetHandout)
    .output(GetHandoutOutput)
    .handler(({ input }) => getHandout(input)),
  listPeople: publicProcedure
    .route({ summary: 'Lists participants of the room' })
    .input(ListPeople)
    .output(PeopleView)
    .handler(({ input }) => listPeople(input)),
  exportChat: publicProcedure
    .route({ summary: 'Returns the whole chat as CSV, for staff' })
    .input(Seat)
    .output(ExportChatOutput)
    .handler(({ input, context }) => exportChat(input, context.t)),
}
