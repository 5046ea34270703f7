import { z } from 'zod'
import { Done, done, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { Seat } from '../room-schema.ts'
import { captionSound } from './captions.ts'
import { changeEncoder, getEncoder } from './encoder.ts'
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
import { answerInvite, caption, goOffAir, goOnAir, inviteToStage, listHands, raiseHand } from './stage.ts'

/** Procedures of the stage: live streams, hands, invitations, captions. The seat token authorizes the caller. */
export const stageCalls = {
  getSlides: publicProcedure.input(Seat).handler(({ input }) => getSlides(input)),
  goOnAir: publicProcedure
    .input(GoOnAir)
    .output(Done)
    .handler(({ input }) => goOnAir(input).then(done)),
  goOffAir: publicProcedure
    .input(GoOffAir)
    .output(Done)
    .handler(({ input }) => goOffAir(input).then(done)),
  raiseHand: publicProcedure
    .input(RaiseHand)
    .output(Done)
    .handler(({ input }) => raiseHand(input).then(done)),
  inviteToStage: publicProcedure
    .input(InviteToStage)
    .output(Done)
    .handler(({ input }) => inviteToStage(input).then(done)),
  answerInvite: publicProcedure
    .input(AnswerInvite)
    .output(Done)
    .handler(({ input }) => answerInvite(input).then(done)),
  caption: publicProcedure
    .input(Caption)
    .output(Done)
    .handler(({ input }) => caption(input).then(done)),
  captionSound: publicProcedure
    .input(CaptionSound)
    .output(Done)
    .handler(({ input }) => captionSound(input).then(done)),
  getEncoder: publicProcedure
    .input(OnStage)
    .output(EncoderView)
    .handler(({ input }) => getEncoder(input)),
  changeEncoder: publicProcedure
    .input(ChangeEncoder)
    .output(EncoderView)
    .handler(({ input }) => changeEncoder(input)),
  listHands: publicProcedure
    .input(OnStage)
    .output(z.array(HandView))
    .handler(({ input }) => listHands(input)),
}
