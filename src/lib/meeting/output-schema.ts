import { z } from 'zod'
import { AutoView } from '#lib/autowebinar/output-schema.ts'
import { ROOM_ROLES } from '#lib/core/shared/event/live-event.ts'
import { RoomEvent } from '#lib/workshop/session/event-output-schema.ts'
import { ButtonContent, HandoutContent, PollContent } from '#lib/workshop/session/event-schema.ts'
import { RoomState } from '#lib/workshop/session/output-schema.ts'
import { ChatMessageView } from './chat/output-schema.ts'
import { StagePlace } from './stage/output-schema.ts'

const RoomPerson = z.object({
  personId: z.string(),
  name: z.string(),
  role: z.enum(ROOM_ROLES),
  kind: z.enum(['staff', 'student', 'registrant', 'guest']),
  locale: z.enum(['uk', 'en']),
  mutedUntil: z.number().nullable(),
  isolated: z.boolean(),
  stage: StagePlace,
})

const MeetingSummary = z.object({
  id: z.string(),
  type: z.enum(['masterclass', 'webinar', 'autoWebinar']),
  title: z.string(),
  description: z.string(),
  startAt: z.string().nullable(),
  timeZone: z.string(),
  plannedMinutes: z.number(),
  language: z.enum(['uk', 'en']),
  cover: z.string().nullable(),
  splash: z.object({
    before: z.object({ text: z.string(), image: z.string().nullable() }),
    after: z.object({ text: z.string(), image: z.string().nullable() }),
    lost: z.object({ text: z.string(), image: z.string().nullable() }),
  }),
  speakers: z.array(z.object({ name: z.string(), about: z.string(), host: z.boolean(), photo: z.string().nullable() })),
  recorded: z.boolean(),
  captions: z.enum(['off', 'typed', 'automatic']),
})

const StreamAccess = z.object({ endpoint: z.string(), token: z.string() })

export const RoomMediaView = z.object({
  iceServers: z.array(
    z.object({ urls: z.array(z.string()), username: z.string().optional(), credential: z.string().optional() }),
  ),
  play: z.object({ endpoint: z.string(), token: z.string().nullable(), hls: z.string().nullable() }),
  publish: z
    .object({
      camera: z.object({ endpoint: z.string(), token: z.string(), companion: StreamAccess }),
      screen: z.object({ endpoint: z.string(), token: z.string(), companion: StreamAccess }),
    })
    .nullable(),
  expiresAt: z.number(),
})

const Tally = z.object({ pollId: z.string(), tally: z.array(z.number()), voters: z.number() })

const PreparedItems = z.object({
  buttons: z.array(z.object({ id: z.string(), content: ButtonContent })),
  polls: z.array(z.object({ id: z.string(), content: PollContent })),
  handouts: z.array(z.object({ id: z.string(), content: HandoutContent })),
})

const ButtonCount = z.object({ buttonId: z.string(), saw: z.number(), clicked: z.number() })

const RoomConsent = z.object({
  isRecorded: z.boolean(),
  people: z.array(z.object({ memberId: z.string(), name: z.string(), hasAgreed: z.boolean() })),
})

export const RoomView = z.object({
  seatToken: z.string(),
  me: RoomPerson,
  workshop: MeetingSummary,
  sessionId: z.string(),
  kind: z.enum(['live', 'auto', 'rehearsal', 'onDemand']),
  state: RoomState,
  lastSeq: z.number(),
  liveId: z.number().nullable(),
  serverNow: z.number(),
  online: z.number(),
  messages: z.array(ChatMessageView),
  olderMessages: z.string().nullable(),
  media: RoomMediaView,
  slides: z.string().nullable(),
  tally: Tally.nullable(),
  votes: z.record(z.string(), z.array(z.number())),
  clicksByButton: z.record(z.string(), z.number()),
  items: PreparedItems.nullable(),
  staff: z.object({ waiting: z.number(), limit: z.number().nullable(), buttons: z.array(ButtonCount) }).nullable(),
  auto: AutoView.nullable(),
  exitPath: z.string().optional(),
  mentoring: z.object({ memberId: z.string(), consent: RoomConsent }).nullable(),
})

export const ListEventsOutput = z.object({
  events: z.array(RoomEvent),
  more: z.boolean(),
  role: z.enum(ROOM_ROLES),
})

export const PlaceView = z.object({
  place: z.number(),
  admitted: z.boolean(),
  workshopId: z.string(),
  title: z.string(),
})
