import { Done, done, open } from '#lib/core/http/api/procedure.ts'
import { hold } from './admission/host.ts'
import { getPlace } from './admission/queue.ts'
import { autoCalls } from './auto-api.ts'
import { chatCalls } from './chat/api.ts'
import { finish, setChat, setMode, setSlide, start } from './control.ts'
import { getRoom, getSlides, listEvents } from './meeting.ts'
import { clickButton, noteWindow, sawButton } from './note.ts'
import { vote } from './poll.ts'
import { rate } from './rate.ts'
import {
  ButtonAct,
  ButtonNote,
  HandoutAct,
  ListEvents,
  NoteWindow,
  PollAct,
  Rate,
  Seat,
  SetChat,
  SetMode,
  SetSlide,
  Vote,
} from './room-schema.ts'
import { closePoll, hideButton, hideHandout, openPoll, showButton, showHandout } from './show.ts'
import { stageCalls } from './stage/api.ts'
import { getMedia } from './stage/media.ts'
import { leave } from './stream.ts'

/** The room of an event at the API's door: the ticket says who acts, since guests have no account. */
export const meeting = {
  getRoom: open.input(Seat).handler(({ input }) => getRoom(input)),
  listEvents: open.input(ListEvents).handler(({ input }) => listEvents(input)),
  getMedia: open.input(Seat).handler(({ input }) => getMedia(input)),
  getPlace: open.input(Seat).handler(({ input }) => getPlace(input)),
  getSlides: open.input(Seat).handler(({ input }) => getSlides(input)),
  start: open
    .input(Seat)
    .output(Done)
    .handler(({ input }) => start(input).then(done)),
  finish: open
    .input(Seat)
    .output(Done)
    .handler(({ input }) => finish(input).then(done)),
  hold: open
    .input(Seat)
    .output(Done)
    .handler(({ input }) => hold(input).then(done)),
  setMode: open
    .input(SetMode)
    .output(Done)
    .handler(({ input }) => setMode(input).then(done)),
  setSlide: open
    .input(SetSlide)
    .output(Done)
    .handler(({ input }) => setSlide(input).then(done)),
  setChat: open
    .input(SetChat)
    .output(Done)
    .handler(({ input }) => setChat(input).then(done)),
  showButton: open
    .input(ButtonAct)
    .output(Done)
    .handler(({ input }) => showButton(input).then(done)),
  hideButton: open
    .input(ButtonAct)
    .output(Done)
    .handler(({ input }) => hideButton(input).then(done)),
  showHandout: open
    .input(HandoutAct)
    .output(Done)
    .handler(({ input }) => showHandout(input).then(done)),
  hideHandout: open
    .input(HandoutAct)
    .output(Done)
    .handler(({ input }) => hideHandout(input).then(done)),
  openPoll: open
    .input(PollAct)
    .output(Done)
    .handler(({ input }) => openPoll(input).then(done)),
  closePoll: open
    .input(PollAct)
    .output(Done)
    .handler(({ input }) => closePoll(input).then(done)),
  vote: open
    .input(Vote)
    .output(Done)
    .handler(({ input }) => vote(input).then(done)),
  sawButton: open
    .input(ButtonNote)
    .output(Done)
    .handler(({ input }) => sawButton(input).then(done)),
  clickButton: open
    .input(ButtonNote)
    .output(Done)
    .handler(({ input }) => clickButton(input).then(done)),
  noteWindow: open
    .input(NoteWindow)
    .output(Done)
    .handler(({ input }) => noteWindow(input).then(done)),
  leave: open
    .input(Seat)
    .output(Done)
    .handler(({ input }) => leave(input).then(done)),
  rate: open
    .input(Rate)
    .output(Done)
    .handler(({ input }) => rate(input).then(done)),
  ...stageCalls,
  ...chatCalls,
  ...autoCalls,
}
