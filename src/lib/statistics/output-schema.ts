import { z } from 'zod'
import { EVENT_TYPES, ROOM_ROLES } from '#lib/core/shared/event/live-event.ts'
import { CURRENCIES } from '#lib/payment/schema.ts'
import { CARD_KEYS } from './card-rules.ts'

const SessionSummary = z.object({
  id: z.string(),
  workshopId: z.string(),
  title: z.string(),
  type: z.enum(['masterclass', 'webinar', 'autoWebinar']),
  kind: z.enum(['live', 'auto', 'rehearsal', 'onDemand']),
  timeZone: z.string(),
  at: z.date(),
  isRunning: z.boolean(),
  viewers: z.number().nullable(),
  peak: z.number().nullable(),
  messages: z.number().nullable(),
  clicks: z.number().nullable(),
})

export const ListStatisticsOutput = z.object({ items: z.array(SessionSummary), next: z.string().nullable() })

const SessionChoice = z.object({
  id: z.string(),
  kind: z.enum(['live', 'auto', 'rehearsal', 'onDemand']),
  at: z.date().nullable(),
})

const Totals = z.object({
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  viewers: z.number(),
  came: z.number(),
  online: z.number(),
  peak: z.number(),
  peakAt: z.number().nullable(),
  watchedMs: z.number(),
  hereSum: z.number(),
  stayed: z.number().nullable(),
  messages: z.number(),
  questions: z.number(),
  answers: z.number(),
  reactions: z.number(),
  votes: z.number(),
  saw: z.number(),
  clicks: z.number(),
  staffMessages: z.number(),
})

const Card = z.object({
  key: z.enum(CARD_KEYS),
  value: z.number().nullable(),
  format: z.enum(['number', 'percent', 'minutes', 'decimal']),
  total: z.number().nullable(),
})

const ChartMinute = z.object({
  minute: z.number(),
  online: z.number(),
  peak: z.number(),
  messages: z.number(),
  questions: z.number(),
  clicks: z.number(),
})

const TimelineMark = z.object({
  seq: z.number(),
  offsetMs: z.number(),
  type: z.enum(EVENT_TYPES),
  label: z.string(),
})

const ButtonStatistics = z.object({
  id: z.string(),
  label: z.string(),
  shown: z.number(),
  saw: z.number(),
  clicked: z.number(),
  clicks: z.number(),
})

const ButtonSales = z.object({
  buttonId: z.string(),
  currency: z.enum(CURRENCIES),
  orderCount: z.number(),
  revenue: z.number(),
})

export const EventStatistics = z.object({
  workshop: z.object({
    id: z.string(),
    title: z.string(),
    type: z.enum(['masterclass', 'webinar', 'autoWebinar']),
    timeZone: z.string(),
  }),
  sessions: z.array(SessionChoice),
  session: z.object({
    id: z.string(),
    kind: z.enum(['live', 'auto', 'rehearsal', 'onDemand']),
    at: z.date().nullable(),
    startedAt: z.date().nullable(),
    finishedAt: z.date().nullable(),
    videoFileId: z.string().nullable(),
    videoOffsetMs: z.number(),
  }),
  isComplete: z.boolean(),
  totals: Totals,
  cards: z.array(Card),
  minutes: z.array(ChartMinute),
  marks: z.array(TimelineMark),
  buttons: z.array(ButtonStatistics),
  sales: z.array(ButtonSales),
  countedAt: z.date(),
})

export const AutoSessionsStatistics = z.object({
  sessionCount: z.number(),
  cards: z.array(Card),
  minutes: z.array(z.object({ minute: z.number(), online: z.number() })),
  buttons: z.array(ButtonStatistics),
  sales: z.array(ButtonSales),
  latest: z.array(
    z.object({
      id: z.string(),
      at: z.date(),
      viewers: z.number(),
      peak: z.number(),
      messages: z.number(),
      clicks: z.number(),
    }),
  ),
})

const ViewerRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  kind: z.enum(['staff', 'student', 'registrant', 'guest']),
  isPresent: z.boolean(),
  firstAt: z.date(),
  lastAt: z.date(),
  watchedSeconds: z.number(),
  attention: z.number().nullable(),
  stays: z.array(z.tuple([z.number(), z.number().nullable()]).readonly()),
  messages: z.number(),
  questions: z.number(),
  votes: z.number(),
  saw: z.number(),
  clicks: z.number(),
  device: z.enum(['unknown', 'phone', 'desktop', 'tablet']).nullable(),
  source: z.string().nullable(),
})

export const ListViewersOutput = z.object({ items: z.array(ViewerRow), next: z.string().nullable() })

const FoundMessage = z.object({
  seq: z.number(),
  offsetMs: z.number(),
  kind: z.enum(['message', 'question']),
  name: z.string(),
  role: z.enum(ROOM_ROLES),
  text: z.string(),
})

export const SearchMessagesOutput = z.object({ items: z.array(FoundMessage), next: z.string().nullable() })
