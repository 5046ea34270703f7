import { z } from 'zod'
import { Done, done, open } from '#lib/core/http/procedure.ts'
import { answerInvite, caption, goOffAir, goOnAir, inviteToStage, listHands, raiseHand } from './stage.ts'
import { captionSound } from './stage-captions.ts'
import {
  AnswerInvite,
  Caption,
  CaptionSound,
  GoOffAir,
  GoOnAir,
  HandView,
  InviteToStage,
  OnStage,
  RaiseHand,
} from './stage-schema.ts'

/** The stage at the API's door: who is on air, hands, invitations, captions. The ticket says who asks. */
export const stageCalls = {
  goOnAir: open
    .input(GoOnAir)
    .output(Done)
    .handler(({ input }) => goOnAir(input).then(done)),
  goOffAir: open
    .input(GoOffAir)
    .output(Done)
    .handler(({ input }) => goOffAir(input).then(done)),
  raiseHand: open
    .input(RaiseHand)
    .output(Done)
    .handler(({ input }) => raiseHand(input).then(done)),
  inviteToStage: open
    .input(InviteToStage)
    .output(Done)
    .handler(({ input }) => inviteToStage(input).then(done)),
  answerInvite: open
    .input(AnswerInvite)
    .output(Done)
    .handler(({ input }) => answerInvite(input).then(done)),
  caption: open
    .input(Caption)
    .output(Done)
    .handler(({ input }) => caption(input).then(done)),
  captionSound: open
    .input(CaptionSound)
    .output(Done)
    .handler(({ input }) => captionSound(input).then(done)),
  listHands: open
    .input(OnStage)
    .output(z.array(HandView))
    .handler(({ input }) => listHands(input)),
}
