import { NoOutput, noOutput, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { recordButtonClick, recordButtonSeen, recordWindowChange } from './activity.ts'
import { holdRoom } from './admission/host.ts'
import { getQueuePlace } from './admission/queue.ts'
import { autoCalls } from './auto-api.ts'
import { chatCalls } from './chat/api.ts'
import { finishEvent, setChat, setMode, setSlide, startEvent } from './control.ts'
import { getRoom, listEvents } from './meeting.ts'
import { setRoomConsent } from './mentoring/recording.ts'
import { ListEventsOutput, PlaceView, RoomMediaView, RoomView } from './output-schema.ts'
import { votePoll } from './poll.ts'
import { closePoll, hideButton, hideHandout, openPoll, showButton, showHandout } from './prepared-items.ts'
import { rateEvent } from './rating.ts'
import {
  ButtonInput,
  ButtonReport,
  HandoutVisibilityInput,
  ListEvents,
  PollInput,
  RateEvent,
  Seat,
  SetChat,
  SetMode,
  SetRecordingConsent,
  SetSlide,
  Vote,
  WindowReport,
} from './room-schema.ts'
import { stageCalls } from './stage/api.ts'
import { getMedia } from './stage/media.ts'
import { leaveRoom } from './stream.ts'

/** Procedures of the room. The seat token authorizes the caller, since guests have no account. */
export const meeting = {
  getRoom: publicProcedure
    .route({ summary: 'Returns everything a browser needs to render a room' })
    .input(Seat)
    .output(RoomView)
    .handler(({ input }) => getRoom(input)),
  listEvents: publicProcedure
    .route({ summary: 'Returns log entries after a sequence number, as far as the participant may see them' })
    .input(ListEvents)
    .output(ListEventsOutput)
    .handler(({ input }) => listEvents(input)),
  getMedia: publicProcedure
    .route({ summary: 'Returns new media endpoints and stream tokens for a participant' })
    .input(Seat)
    .output(RoomMediaView)
    .handler(({ input }) => getMedia(input)),
  getPlace: publicProcedure
    .route({ summary: 'Returns the position of a viewer in the waiting queue' })
    .input(Seat)
    .output(PlaceView)
    .handler(({ input }) => getQueuePlace(input)),
  start: publicProcedure
    .route({ summary: 'Starts the event, and its recording if enabled' })
    .input(Seat)
    .output(NoOutput)
    .handler(({ input }) => startEvent(input).then(noOutput)),
  finish: publicProcedure
    .route({ summary: 'Finishes the event for everybody' })
    .input(Seat)
    .output(NoOutput)
    .handler(({ input }) => finishEvent(input).then(noOutput)),
  hold: publicProcedure
    .route({ summary: 'Keeps the room open by a moderator while its hosts are away' })
    .input(Seat)
    .output(NoOutput)
    .handler(({ input }) => holdRoom(input).then(noOutput)),
  setMode: publicProcedure
    .route({ summary: 'Changes the presentation mode of the stage' })
    .input(SetMode)
    .output(NoOutput)
    .handler(({ input }) => setMode(input).then(noOutput)),
  setSlide: publicProcedure
    .route({ summary: 'Shows a page, or other slides' })
    .input(SetSlide)
    .output(NoOutput)
    .handler(({ input }) => setSlide(input).then(noOutput)),
  setChat: publicProcedure
    .route({ summary: 'Changes the chat settings' })
    .input(SetChat)
    .output(NoOutput)
    .handler(({ input }) => setChat(input).then(noOutput)),
  showButton: publicProcedure
    .route({ summary: 'Shows a prepared button' })
    .input(ButtonInput)
    .output(NoOutput)
    .handler(({ input }) => showButton(input).then(noOutput)),
  hideButton: publicProcedure
    .route({ summary: 'Hides a button' })
    .input(ButtonInput)
    .output(NoOutput)
    .handler(({ input }) => hideButton(input).then(noOutput)),
  showHandout: publicProcedure
    .route({ summary: 'Shows a prepared hand-out' })
    .input(HandoutVisibilityInput)
    .output(NoOutput)
    .handler(({ input }) => showHandout(input).then(noOutput)),
  hideHandout: publicProcedure
    .route({ summary: 'Hides a hand-out' })
    .input(HandoutVisibilityInput)
    .output(NoOutput)
    .handler(({ input }) => hideHandout(input).then(noOutput)),
  openPoll: publicProcedure
    .route({ summary: 'Opens a prepared poll' })
    .input(PollInput)
    .output(NoOutput)
    .handler(({ input }) => openPoll(input).then(noOutput)),
  closePoll: publicProcedure
    .route({ summary: 'Closes the open poll with its votes' })
    .input(PollInput)
    .output(NoOutput)
    .handler(({ input }) => closePoll(input).then(noOutput)),
  vote: publicProcedure
    .route({ summary: 'Votes in the open poll' })
    .input(Vote)
    .output(NoOutput)
    .handler(({ input }) => votePoll(input).then(noOutput)),
  sawButton: publicProcedure
    .route({ summary: 'Records that a participant saw a button' })
    .input(ButtonReport)
    .output(NoOutput)
    .handler(({ input }) => recordButtonSeen(input).then(noOutput)),
  clickButton: publicProcedure
    .route({ summary: 'Records that a participant clicked a button' })
    .input(ButtonReport)
    .output(NoOutput)
    .handler(({ input }) => recordButtonClick(input).then(noOutput)),
  noteWindow: publicProcedure
    .route({ summary: "Records that the room's tab was hidden or shown" })
    .input(WindowReport)
    .output(NoOutput)
    .handler(({ input }) => recordWindowChange(input).then(noOutput)),
  leave: publicProcedure
    .route({ summary: 'Leaves the room deliberately' })
    .input(Seat)
    .output(NoOutput)
    .handler(({ input }) => leaveRoom(input).then(noOutput)),
  rate: publicProcedure
    .route({ summary: "Saves a participant's rating of the event" })
    .input(RateEvent)
    .output(NoOutput)
    .handler(({ input }) => rateEvent(input).then(noOutput)),
  setRecordingConsent: publicProcedure
    .route({ summary: 'Agrees to the recording of a session with a mentor in its room, or withdraws it' })
    .input(SetRecordingConsent)
    .output(NoOutput)
    .handler(({ input }) => setRoomConsent(input).then(noOutput)),
  ...stageCalls,
  ...chatCalls,
  ...autoCalls,
}
