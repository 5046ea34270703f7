import { Done, done, open } from '#lib/core/http/api/procedure.ts'
import { getReplay } from '../recording/finished.ts'
import { answerQuestion, approveMessage, deleteMessage, pinMessage, setAnswering } from './actions.ts'
import { getHandout } from './handout.ts'
import { exportChat, findMessages, listMessages } from './lists.ts'
import { banPerson, isolatePerson, mutePerson } from './moderation.ts'
import { listPeople } from './people.ts'
import { reactInRoom, sayInRoom } from './say.ts'
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
  Say,
  Seat,
  SetAnswering,
} from './schema.ts'

/** The chat at the API's door: the ticket says who acts, since guests have no account. */
export const chatCalls = {
  say: open.input(Say).handler(({ input }) => sayInRoom(input)),
  react: open
    .input(React)
    .output(Done)
    .handler(({ input }) => reactInRoom(input).then(done)),
  listMessages: open.input(ListMessages).handler(({ input }) => listMessages(input)),
  findMessages: open.input(FindMessages).handler(({ input }) => findMessages(input)),
  pinMessage: open
    .input(PinMessage)
    .output(Done)
    .handler(({ input }) => pinMessage(input).then(done)),
  deleteMessage: open
    .input(MessageId)
    .output(Done)
    .handler(({ input }) => deleteMessage(input).then(done)),
  approveMessage: open
    .input(MessageId)
    .output(Done)
    .handler(({ input }) => approveMessage(input).then(done)),
  setAnswering: open
    .input(SetAnswering)
    .output(Done)
    .handler(({ input }) => setAnswering(input).then(done)),
  answerQuestion: open
    .input(AnswerQuestion)
    .output(Done)
    .handler(({ input }) => answerQuestion(input).then(done)),
  mutePerson: open
    .input(MutePerson)
    .output(Done)
    .handler(({ input }) => mutePerson(input).then(done)),
  isolatePerson: open
    .input(IsolatePerson)
    .output(Done)
    .handler(({ input }) => isolatePerson(input).then(done)),
  banPerson: open
    .input(BanPerson)
    .output(Done)
    .handler(({ input }) => banPerson(input).then(done)),
  getReplay: open.input(Seat).handler(({ input }) => getReplay(input)),
  getHandout: open.input(GetHandout).handler(({ input }) => getHandout(input)),
  listPeople: open.input(ListPeople).handler(({ input }) => listPeople(input)),
  exportChat: open.input(Seat).handler(({ input, context }) => exportChat(input, context.t)),
}
