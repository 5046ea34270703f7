import { z } from 'zod'
import { ROOM_ROLES } from '#lib/core/shared/event/live-event.ts'

export const SentMessageView = z.object({
  messageId: z.string(),
  seq: z.number(),
  state: z.enum(['shown', 'waiting', 'private', 'deleted']),
  holdReason: z.enum(['premod', 'words', 'isolated', 'session']).nullable(),
  at: z.number(),
  offsetMs: z.number(),
})

const ReplyView = z.object({ name: z.string(), text: z.string() })

const AnswerView = z.object({
  text: z.string(),
  name: z.string(),
  role: z.enum(ROOM_ROLES),
  at: z.number(),
  offsetMs: z.number(),
})

export const ChatMessageView = z.object({
  messageId: z.string(),
  seq: z.number(),
  kind: z.enum(['message', 'question']),
  state: z.enum(['shown', 'waiting', 'private', 'deleted']),
  holdReason: z.enum(['premod', 'words', 'isolated', 'session']).nullable(),
  at: z.number(),
  offsetMs: z.number(),
  authorId: z.string().nullable(),
  name: z.string(),
  role: z.enum(ROOM_ROLES),
  text: z.string(),
  replyTo: z.string().nullable(),
  reply: ReplyView.nullable(),
  reactions: z.record(z.string(), z.number()),
  ownReactions: z.array(z.string()),
  answer: AnswerView.nullable(),
})

export const ChatMessagePage = z.object({ messages: z.array(ChatMessageView), next: z.string().nullable() })

export const GetReplayOutput = z.object({ is: z.enum(['expired', 'off', 'none', 'making', 'ready']) })

export const GetHandoutOutput = z.object({ address: z.string() })

const PersonView = z.object({
  personId: z.string(),
  name: z.string(),
  role: z.enum(ROOM_ROLES),
  online: z.boolean(),
  email: z.string().nullable(),
  mutedUntil: z.number().nullable(),
  isolated: z.boolean(),
  banned: z.boolean(),
})

export const PeopleView = z.object({
  online: z.number(),
  total: z.number(),
  people: z.array(PersonView),
  next: z.string().nullable(),
})

export const ExportChatOutput = z.object({ csv: z.string() })
