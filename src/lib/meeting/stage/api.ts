import { z } from 'zod'
import { NoOutput, noOutput, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { Seat } from '../room-schema.ts'
import { captionSound } from './captions.ts'
import { changeEncoder, getEncoder } from './encoder.ts'
import { GetSlidesOutput } from './output-schema.ts'
import {
  AnswerInvite,
  Caption,
  CaptionSound,
  ChangeEncoder,
  EncoderView,
  GoOffAir,
  GoOnAir,
  HandView,
  InviteToStage,
  OnStage,
  RaiseHand,
} from './schema.ts'
import { getSlides } from './slides.ts'
import { answerInvite, goOffAir, goOnAir, inviteToStage, listHands, publishCaption, raiseHand } from './stage.ts'

/** Procedures of the stage: live streams, hands, invitations, captions. The seat token authorizes the caller. */
export const stageCalls = {
  getSlides: publicProcedure
    .route({ summary: 'Returns uRL of the slides that are shown' })
    .input(Seat)
    .output(GetSlidesOutput)
    .handler(({ input }) => getSlides(input)),
  goOnAir: publicProcedure
    .route({
      summary: 'Puts a stream of the caller, or of an encoder, on the stage, or updates its microphone and camera',
    })
    .input(GoOnAir)
    .output(NoOutput)
    .handler(({ input }) => goOnAir(input).then(noOutput)),
  goOffAir: publicProcedure
    .route({ summary: "Removes the caller's stream from the stage" })
    .input(GoOffAir)
    .output(NoOutput)
    .handler(({ input }) => goOffAir(input).then(noOutput)),
  raiseHand: publicProcedure
    .route({ summary: "Raises or lowers a viewer's hand" })
    .input(RaiseHand)
    .output(NoOutput)
    .handler(({ input }) => raiseHand(input).then(noOutput)),
  inviteToStage: publicProcedure
    .route({ summary: 'Invites a viewer to the stage, or withdraws the invitation' })
    .input(InviteToStage)
    .output(NoOutput)
    .handler(({ input }) => inviteToStage(input).then(noOutput)),
  answerInvite: publicProcedure
    .route({ summary: 'Accepts or declines an invitation' })
    .input(AnswerInvite)
    .output(NoOutput)
    .handler(({ input }) => answerInvite(input).then(noOutput)),
  caption: publicProcedure
    .route({ summary: 'Adds a caption typed by staff' })
    .input(Caption)
    .output(NoOutput)
    .handler(({ input }) => publishCaption(input).then(noOutput)),
  captionSound: publicProcedure
    .route({ summary: "Transcribes some seconds of a presenter's audio to a caption" })
    .input(CaptionSound)
    .output(NoOutput)
    .handler(({ input }) => captionSound(input).then(noOutput)),
  getEncoder: publicProcedure
    .route({ summary: "Returns the caller's WHIP endpoint and token, and the encoders that publish now" })
    .input(OnStage)
    .output(EncoderView)
    .handler(({ input }) => getEncoder(input)),
  changeEncoder: publicProcedure
    .route({ summary: 'Creates a new encoder key for the caller, or revokes it' })
    .input(ChangeEncoder)
    .output(EncoderView)
    .handler(({ input }) => changeEncoder(input)),
  listHands: publicProcedure
    .route({ summary: 'Lists raised hands, invitations and stage guests, for staff' })
    .input(OnStage)
    .output(z.array(HandView))
    .handler(({ input }) => listHands(input)),
}
