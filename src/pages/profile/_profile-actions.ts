import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { preferenceCookie } from '#lib/core/http/cookies.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { cancelDeletion, requestDeletion, sendDeletionCode } from '#lib/student/personal-data/deletion.ts'
import { requestDataExport } from '#lib/student/personal-data/export.ts'
import { RequestDeletion } from '#lib/student/personal-data/schema.ts'
import { confirmOwnershipTransfer } from '#lib/team/ownership.ts'
import { TransferToken } from '#lib/team/schema.ts'
import { changePassword } from '#lib/user/password-reset.ts'
import { ChangePassword, CurrentPassword, RevokeSession, SecondFactorCode, UpdatePersonal } from '#lib/user/schema.ts'
import {
  beginSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
} from '#lib/user/second-factor.ts'
import { revokeOtherSessions, revokeSession } from '#lib/user/session.ts'
import { updatePersonal } from '#lib/user/user.ts'
import { attemptForm, type FormOutcome, findAction, type RefusedForm } from '../_request/form-outcome.ts'

type Page = Pick<AstroGlobal, 'request' | 'locals'>
type Form = Record<string, string>

export interface ProfileFormResult {
  /** Identifies the saved part; the page is then rendered again. */
  saved: string | null
  cookies: string[]
  refused: RefusedForm | null
  /** Shown only once, so the page is the response to the POST. */
  setup: { secret: string; qr: string } | null
  recoveryCodes: string[] | null
}

const NOTHING: ProfileFormResult = { saved: null, cookies: [], refused: null, setup: null, recoveryCodes: null }

/** Runs the posted form of the profile, by its field `intent`. Refuses with invalid for an unknown form. */
export function actOn(page: Page, actor: Actor, form: Form): Promise<ProfileFormResult> {
  return findAction(
    { ...accountActions(page, actor, form), ...secondFactorActions(page, actor, form) },
    form.intent ?? '',
  )()
}

type Actions = Record<string, () => Promise<ProfileFormResult>>

function accountActions(page: Page, actor: Actor, form: Form): Actions {
  return {
    personal: async () =>
      saved('personal', await attemptForm(page, UpdatePersonal, form, (input) => updatePersonal(actor, input))),
    language: () => language(page, actor, form),
    revoke: async () =>
      saved('revoke', await attemptForm(page, RevokeSession, form, (input) => revokeSession(actor, input))),
    revokeOthers: async () =>
      saved('revoke', await attemptForm(page, NoFields, form, () => revokeOtherSessions(actor))),
    password: async () =>
      saved('password', await attemptForm(page, ChangePassword, form, (input) => changePassword(actor, input))),
    ownership: async () =>
      saved(
        'ownership',
        await attemptForm(page, TransferToken, form, (input) => confirmOwnershipTransfer(actor, input)),
      ),
    requestExport: async () =>
      saved('requestExport', await attemptForm(page, NoFields, form, () => requestDataExport(actor))),
    sendDeletionCode: async () =>
      saved('sendDeletionCode', await attemptForm(page, NoFields, form, () => sendDeletionCode(actor))),
    requestDeletion: async () =>
      saved(
        'requestDeletion',
        await attemptForm(page, RequestDeletion, form, (input) => requestDeletion(actor, input)),
      ),
    cancelDeletion: async () =>
      saved('cancelDeletion', await attemptForm(page, NoFields, form, () => cancelDeletion(actor))),
  }
}

const NoFields = z.object({})

async function language(page: Page, actor: Actor, form: Form): Promise<ProfileFormResult> {
  const values = { locale: form.locale ?? '' }
  const outcome = await attemptForm(page, UpdatePersonal, values, (input) => updatePersonal(actor, input))
  return { ...saved('language', outcome), cookies: [preferenceCookie('locale', values.locale)] }
}

function secondFactorActions(page: Page, actor: Actor, form: Form): Actions {
  return {
    beginSecondFactor: async () => ({ ...NOTHING, setup: await beginSecondFactor(actor) }),
    enableSecondFactor: async () => {
      const outcome = await attemptForm(page, SecondFactorCode, form, (input) => enableSecondFactor(actor, input))
      const setup = outcome.refused ? await beginSecondFactor(actor) : null
      return { ...NOTHING, refused: outcome.refused, setup, recoveryCodes: outcome.done?.recoveryCodes ?? null }
    },
    renewRecoveryCodes: async () => {
      const outcome = await attemptForm(page, CurrentPassword, form, (input) => renewRecoveryCodes(actor, input))
      return { ...NOTHING, refused: outcome.refused, recoveryCodes: outcome.done?.recoveryCodes ?? null }
    },
    disableSecondFactor: async () =>
      saved(
        'disableSecondFactor',
        await attemptForm(page, CurrentPassword, form, (input) => disableSecondFactor(actor, input)),
      ),
  }
}

function saved(name: string, { refused }: FormOutcome<unknown>): ProfileFormResult {
  return refused ? { ...NOTHING, refused } : { ...NOTHING, saved: name }
}
