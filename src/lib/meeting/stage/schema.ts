import { z } from 'zod'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { STREAM_KINDS } from '#lib/workshop/session/event-schema.ts'

const id = z.uuid()
const seatToken = z.string().min(1).max(1000)

/** Puts a stream of the caller on the stage, or reports that its microphone or camera was switched. */
export const GoOnAir = z.object({
  seatToken,
  kind: z.enum(STREAM_KINDS),
  /** Owner of the encoder, if it is not the caller. */
  personId: id.nullable().default(null),
  microphone: z.boolean(),
  camera: z.boolean(),
})
export type GoOnAir = z.input<typeof GoOnAir>

/**
 * Removes the caller's stream from the stage; with `personId` another participant's, all of them when no kind is named.
 */
export const GoOffAir = z.object({
  seatToken,
  kind: z.enum(STREAM_KINDS).nullable().default(null),
  personId: id.nullable().default(null),
})
export type GoOffAir = z.input<typeof GoOffAir>

export const RaiseHand = z.object({ seatToken, on: z.boolean() })
export type RaiseHand = z.input<typeof RaiseHand>

export const InviteToStage = z.object({ seatToken, personId: id, on: z.boolean() })
export type InviteToStage = z.input<typeof InviteToStage>

export const AnswerInvite = z.object({ seatToken, accepted: z.boolean() })
export type AnswerInvite = z.input<typeof AnswerInvite>

/** A typed caption. */
export const Caption = z.object({
  seatToken,
  text: multilineText(500).min(1, 'required'),
  language: z.enum(['uk', 'en']),
})
export type Caption = z.input<typeof Caption>

/** Audio formats that browsers record. */
export const SOUND_TYPES = ['audio/webm', 'audio/ogg', 'audio/mp4'] as const

/** Some seconds of the presenter's audio as base64, a complete file; its transcript becomes a caption. */
export const CaptionSound = z.object({
  seatToken,
  sound: z.base64().min(1).max(700_000),
  type: z.enum(SOUND_TYPES),
  language: z.enum(['uk', 'en']),
})
export type CaptionSound = z.input<typeof CaptionSound>

/** A new key for the caller's encoder, or none. */
export const ChangeEncoder = z.object({ seatToken, on: z.boolean() })
export type ChangeEncoder = z.input<typeof ChangeEncoder>

/** An encoder that publishes now. */
export const EncoderSource = z.object({ stream: z.string(), personId: id, name: z.string() })
export type EncoderSource = z.infer<typeof EncoderSource>

/** WHIP endpoint of the caller's encoder: a path of this host or a URL, and the bearer token; null without a key. */
export const EncoderView = z.object({
  endpoint: z.string(),
  token: z.string().nullable(),
  sources: z.array(EncoderSource),
})
export type EncoderView = z.infer<typeof EncoderView>

export const OnStage = z.object({ seatToken })

/** A participant with a raised hand, an invitation to the stage, or a place on it. */
export const HandView = z.object({
  personId: id,
  name: z.string(),
  /** Milliseconds since 1970; null without a raised hand. */
  raisedAt: z.number().nullable(),
  stage: z.enum(['off', 'invited', 'on']),
})
export type HandView = z.infer<typeof HandView>
