import { z } from 'zod'
import { ButtonContent, ChatSettings, EventAuthor, HandoutContent, LiveStream, PollContent } from './event-schema.ts'

export const RoomState = z.object({
  phase: z.enum(['finished', 'live', 'waiting']),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  mode: z.enum(['presentation', 'preview', 'broadcast', 'presentationAndBroadcast']),
  slide: z.object({ fileId: z.string().nullable(), page: z.number() }),
  buttons: z.array(z.object({ buttonId: z.string(), content: ButtonContent, shownAt: z.number() })),
  handouts: z.array(z.object({ handoutId: z.string(), content: HandoutContent })),
  poll: z
    .object({
      pollId: z.string(),
      content: PollContent,
      openedAt: z.number(),
      closed: z.boolean(),
      tally: z.array(z.number()),
      voters: z.number(),
    })
    .nullable(),
  pinned: z.array(z.object({ messageId: z.string(), text: z.string(), author: EventAuthor.nullable() })),
  answering: z.string().nullable(),
  chat: ChatSettings,
  onAir: z.array(LiveStream),
  hostLostAt: z.number().nullable(),
  recordingStoppedAt: z.number().nullable().optional(),
})
