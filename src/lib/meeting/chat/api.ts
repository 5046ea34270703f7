import { Done, done, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { getReplay } from '../recording/finished.ts'
import { answerQuestion, approveMessage, deleteMessage, pinMessage, setAnswering } from './actions.ts'
import { getHandout } from './handout.ts'
import { exportChat, findMessages, listMessages } from './message-pages.ts'
import { banPerson, isolatePerson, mutePerson } from './moderation.ts'
import { listPeople } from './participants.ts'
import {
  AnswerQuestion,
  BanPerson,
  FindMessages,
  GetHandout,
  IsolatePerson,
  ListMessages,
  ListPeople,
  MessageId,
  MutePerson,
  PinMessage,
  React,
  Seat,
  SendMessage,
  SetAnswering,
} from './schema.ts'
import { addReaction, sendMessage } from './send-message.ts'

/** Procedures of the chat. The seat token authorizes the caller, since guests have no account. */
export const chatCalls = {
  say: publicProcedure.input(SendMessage).handler(({ input }) => sendMessage(input)),
  react: publicProcedure
    .input(React)
    .output(Done)
    .handler(({ input }) => addReaction(input).then(done)),
  listMessages: publicProcedure.input(ListMessages).handler(({ input }) => listMessages(input)),
  findMessages: publicProcedure.input(FindMessages).handler(({ input }) => findMessages(input)),
  pinMessage: publicProcedure
    .input(PinMessage)
    .output(Done)
    .handler(({ input }) => pinMessage(input).then(done)),
  deleteMessage: publicProcedure
    .input(MessageId)
    .output(Done)
    .handler(({ input }) => deleteMessage(input).then(done)),
  approveMessage: publicProcedure
    .input(MessageId)
    .output(Done)
    .handler(({ input }) => approveMessage(input).then(done)),
  setAnswering: publicProcedure
    .input(SetAnswering)
    .output(Done)
    .handler(({ input }) => setAnswering(input).then(done)),
  answerQuestion: publicProcedure
    .input(AnswerQuestion)
    .output(Done)
    .handler(({ input }) => answerQuestion(input).then(done)),
  mutePerson: publicProcedure
    .input(MutePerson)
    .output(Done)
    .handler(({ input }) => mutePerson(input).then(done)),
  isolatePerson: publicProcedure
    .input(IsolatePerson)
    .output(Done)
    .handler(({ input }) => isolatePerson(input).then(done)),
  banPerson: publicProcedure
    .input(BanPerson)
    .output(Done)
    .handler(({ input }) => banPerson(input).then(done)),
  getReplay: publicProcedure.input(Seat).handler(({ input }) => getReplay(input)),
  getHandout: publicProcedure.input(GetHandout).handler(({ input }) => getHandout(input)),
  listPeople: publicProcedure.input(ListPeople).handler(({ input }) => listPeople(input)),
  exportChat: publicProcedure.input(Seat).handler(({ input, context }) => exportChat(input, context.t)),
}
