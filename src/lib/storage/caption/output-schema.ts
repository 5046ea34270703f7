import { z } from 'zod'

const Cue = z.object({ start: z.number(), end: z.number(), text: z.string(), settings: z.string().optional() })

export const CaptionView = z.object({
  lang: z.enum(['uk', 'en']),
  auto: z.boolean(),
  updatedAt: z.date(),
  version: z.number(),
  cues: z.array(Cue),
})

const CueFault = z.enum(['caption_timing', 'caption_time', 'caption_negative', 'caption_order'])

const SkippedCue = z.object({ fault: CueFault, line: z.number(), words: z.string() })

export const SavedCaption = z.object({
  version: z.number(),
  cues: z.number(),
  skipped: z.array(SkippedCue),
  skippedCount: z.number(),
})
