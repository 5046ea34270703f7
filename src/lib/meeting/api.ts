import { Done, done, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { recordButtonClick, recordButtonSeen, recordWindowChange } from './activity.ts'
import { holdRoom } from './admission/host.ts'
import { getQueuePlace } from './admission/queue.ts'
import { autoCalls } from './auto-api.ts'
import { chatCalls } from './chat/api.ts'
import { finishEvent, setChat, setMode, setSlide, startEvent } from './control.ts'
import { getRoom, listEvents } from './meeting.ts'
import { votePoll } from './poll.ts'
import { closePoll, hideButton, hideHandout, openPoll, showButton, showHandout } from './prepared-items.ts'
import { rateEvent } from './rating.ts'
import {
  ButtonAct,
  ButtonReport,
  HandoutAct,
  ListEvents,
  PollAct,
  Rate,
  Seat,
  SetChat,
  SetMode,
  SetSlide,
  Vote,
  WindowReport,
} from './room-schema.ts'
import { stageCalls } from './stage/api.ts'
import { getMedia } from './stage/media.ts'
import { leaveRoom } from './stream.ts'

/** Procedures of the room. The seat token authorizes the caller, since guests have no account. */
export const meeting = {
  getRoom: publicProcedure.input(Seat).handler(({ input }) => getRoom(input)),
  listEvents: publicProcedure.input(ListEvents).handler(({ input }) => listEvents(input)),
  getMedia: publicProcedure.input(Seat).handler(({ input }) => getMedia(input)),
  getPlace: publicProcedure.input(Seat).handler(({ input }) => getQueuePlace(input)),
  start: publicProcedure
    .input(Seat)
    .output(Done)
    .handler(({ input }) => startEvent(input).then(done)),
  finish: publicProcedure
    .input(Seat)
    .output(Done)
    .handler(({ input }) => finishEvent(input).then(done)),
  hold: publicProcedure
    .input(Seat)
    .output(Done)
    .handler(({ input }) => holdRoom(input).then(done)),
  setMode: publicProcedure
    .input(SetMode)
    .output(Done)
    .handler(({ input }) => setMode(input).then(done)),
  setSlide: publicProcedure
    .input(SetSlide)
    .output(Done)
    .handler(({ input }) => setSlide(input).then(done)),
  setChat: publicProcedure
    .input(SetChat)
    .output(Done)
    .handler(({ input }) => setChat(input).then(done)),
  showButton: publicProcedure
    .input(ButtonAct)
    .output(Done)
    .handler(({ input }) => showButton(input).then(done)),
  hideButton: publicProcedure
    .input(ButtonAct)
    .output(Done)
    .handler(({ input }) => hideButton(input).then(done)),
  showHandout: publicProcedure
    .input(HandoutAct)
    .output(Done)
    .handler(({ input }) => showHandout(input).then(done)),
  hideHandout: publicProcedure
    .input(HandoutAct)
    .output(Done)
    .handler(({ input }) => hideHandout(input).then(done)),
  openPoll: publicProcedure
    .input(PollAct)
    .output(Done)
    .handler(({ input }) => openPoll(input).then(done)),
  closePoll: publicProcedure
    .input(PollAct)
    .output(Done)
    .handler(({ input }) => closePoll(input).then(done)),
  vote: publicProcedure
    .input(Vote)
    .output(Done)
    .handler(({ input }) => votePoll(input).then(done)),
  sawButton: publicProcedure
    .input(ButtonReport)
    .output(Done)
    .handler(({ input }) => recordButtonSeen(input).then(done)),
  clickButton: publicProcedure
    .input(ButtonReport)
    .output(Done)
    .handler(({ input }) => recordButtonClick(input).then(done)),
  noteWindow: publicProcedure
    .input(WindowReport)
    .output(Done)
    .handler(({ input }) => recordWindowChange(input).then(done)),
  leave: publicProcedure
    .input(Seat)
    .output(Done)
    .handler(({ input }) => leaveRoom(input).then(done)),
  rate: publicProcedure
    .input(Rate)
    .output(Done)
    .handler(({ input }) => rateEvent(input).then(done)),
  ...stageCalls,
  ...chatCalls,
  ...autoCalls,
}
