import { Done, done, open } from '#lib/core/http/api/procedure.ts'
import { autoCalls } from './auto-api.ts'
import { chatCalls } from './chat/api.ts'
import * as door from './meeting.ts'
import * as ask from './room-schema.ts'
import { stageCalls } from './stage/api.ts'

/** The room of an event at the API's door: the ticket says who acts, since guests have no account. */
export const meeting = {
  getRoom: open.input(ask.Seat).handler(({ input }) => door.getRoom(input)),
  listEvents: open.input(ask.ListEvents).handler(({ input }) => door.listEvents(input)),
  getMedia: open.input(ask.Seat).handler(({ input }) => door.getMedia(input)),
  getPlace: open.input(ask.Seat).handler(({ input }) => door.getPlace(input)),
  getSlides: open.input(ask.Seat).handler(({ input }) => door.getSlides(input)),
  start: open
    .input(ask.Seat)
    .output(Done)
    .handler(({ input }) => door.start(input).then(done)),
  finish: open
    .input(ask.Seat)
    .output(Done)
    .handler(({ input }) => door.finish(input).then(done)),
  hold: open
    .input(ask.Seat)
    .output(Done)
    .handler(({ input }) => door.hold(input).then(done)),
  setMode: open
    .input(ask.SetMode)
    .output(Done)
    .handler(({ input }) => door.setMode(input).then(done)),
  setSlide: open
    .input(ask.SetSlide)
    .output(Done)
    .handler(({ input }) => door.setSlide(input).then(done)),
  setChat: open
    .input(ask.SetChat)
    .output(Done)
    .handler(({ input }) => door.setChat(input).then(done)),
  showButton: open
    .input(ask.ButtonAct)
    .output(Done)
    .handler(({ input }) => door.showButton(input).then(done)),
  hideButton: open
    .input(ask.ButtonAct)
    .output(Done)
    .handler(({ input }) => door.hideButton(input).then(done)),
  showHandout: open
    .input(ask.HandoutAct)
    .output(Done)
    .handler(({ input }) => door.showHandout(input).then(done)),
  hideHandout: open
    .input(ask.HandoutAct)
    .output(Done)
    .handler(({ input }) => door.hideHandout(input).then(done)),
  openPoll: open
    .input(ask.PollAct)
    .output(Done)
    .handler(({ input }) => door.openPoll(input).then(done)),
  closePoll: open
    .input(ask.PollAct)
    .output(Done)
    .handler(({ input }) => door.closePoll(input).then(done)),
  vote: open
    .input(ask.Vote)
    .output(Done)
    .handler(({ input }) => door.vote(input).then(done)),
  sawButton: open
    .input(ask.ButtonNote)
    .output(Done)
    .handler(({ input }) => door.sawButton(input).then(done)),
  clickButton: open
    .input(ask.ButtonNote)
    .output(Done)
    .handler(({ input }) => door.clickButton(input).then(done)),
  noteWindow: open
    .input(ask.NoteWindow)
    .output(Done)
    .handler(({ input }) => door.noteWindow(input).then(done)),
  leave: open
    .input(ask.Seat)
    .output(Done)
    .handler(({ input }) => door.leave(input).then(done)),
  rate: open
    .input(ask.Rate)
    .output(Done)
    .handler(({ input }) => door.rate(input).then(done)),
  ...stageCalls,
  ...chatCalls,
  ...autoCalls,
}
