import { z } from 'zod'

const IceServer = z.object({
  urls: z.array(z.string()),
  username: z.string().optional(),
  credential: z.string().optional(),
})

export const Rehearsal = z.object({
  rehearsalId: z.string(),
  endpoint: z.string(),
  token: z.string(),
  iceServers: z.array(IceServer),
})

export const RehearsalChecks = z.object({
  links: z.array(
    z.object({
      status: z.number().nullable(),
      reason: z.enum(['answers', 'private', 'silent', 'refused', 'not_web', 'redirects']),
      name: z.string(),
      url: z.string(),
    }),
  ),
  recording: z.enum(['no_ffmpeg', 'off', 'ready', 'another_server']),
  room: z.number().nullable(),
  requiredBytes: z.number(),
  disk: z.object({ free: z.number(), requiredBytes: z.number() }),
  slides: z.enum(['none', 'available', 'missing']),
  handouts: z.number(),
  missingHandouts: z.array(z.string()),
})
