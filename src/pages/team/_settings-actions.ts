import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { FiscalServiceInput, SaveFiscalService } from '#lib/payment/fiscal/schema.ts'
import { saveFiscalService, setFiscalEnabled } from '#lib/payment/fiscal/settings.ts'
import { checkProvider, saveProvider, setProviderEnabled } from '#lib/payment/provider-settings.ts'
import { ProviderInput, SaveProvider } from '#lib/payment/schema.ts'
import { setQuizPolicy } from '#lib/quiz/policy.ts'
import { QuizPolicy } from '#lib/quiz/schema.ts'
import { addDomain, checkDomain, removeDomain } from '#lib/settings/domain.ts'
import { removeLogo, setLogo } from '#lib/settings/logo.ts'
import { confirmReplyTo, removeReplyTo, requestReplyTo } from '#lib/settings/reply-to.ts'
import * as schema from '#lib/settings/schema.ts'
import { updateSchool } from '#lib/settings/settings.ts'
import { changeSubdomain } from '#lib/settings/subdomain.ts'
import { addField, changeField, deleteField, restoreField } from '#lib/student/fields/fields.ts'
import { AddField, ChangeField, FieldId } from '#lib/student/fields/schema.ts'
import { saveRegistrationForm } from '#lib/student/registration-form/registration-form.ts'
import { SaveRegistrationForm } from '#lib/student/registration-form/schema.ts'
import { readRegistrationInput } from './_registration-fields.ts'

/** Names of saved settings: messages `settings:saved.<name>`. */
export const SETTINGS_SAVED = [
  'school',
  'logo',
  'logoRemoved',
  'subdomain',
  'replyToSent',
  'replyTo',
  'replyToRemoved',
  'domain',
  'domainChecked',
  'domainRemoved',
  'registration',
  'field',
  'fieldDeleted',
  'fieldRestored',
  'tests',
  'provider',
  'providerOn',
  'providerOff',
  'providerChecked',
  'fiscal',
  'fiscalOn',
  'fiscalOff',
] as const
export type SettingsSaved = (typeof SETTINGS_SAVED)[number]

export interface SettingsForm {
  saved: SettingsSaved
  schema: z.ZodType
  run(input: unknown): Promise<unknown>
}

/** The forms of the tab by their field `intent`. */
export function settingsForms(actor: Actor, form: FormData): Record<string, SettingsForm> {
  return {
    updateSchool: settings('school', schoolWithColor(form), (input) => updateSchool(actor, input)),
    setLogo: settings('logo', z.unknown(), async () => setLogo(actor, await bytesOf(form.get('logo')))),
    removeLogo: settings('logoRemoved', z.unknown(), () => removeLogo(actor)),
    changeSubdomain: settings('subdomain', schema.ChangeSubdomain, (input) => changeSubdomain(actor, input)),
    requestReplyTo: settings('replyToSent', schema.RequestReplyTo, (input) => requestReplyTo(actor, input)),
    confirmReplyTo: settings('replyTo', schema.ConfirmReplyTo, (input) => confirmReplyTo(actor, input)),
    removeReplyTo: settings('replyToRemoved', z.unknown(), () => removeReplyTo(actor)),
    addDomain: settings('domain', schema.AddDomain, (input) => addDomain(actor, input)),
    checkDomain: settings('domainChecked', z.unknown(), () => checkDomain(actor)),
    removeDomain: settings('domainRemoved', z.unknown(), () => removeDomain(actor)),
    saveRegistration: settings(
      'registration',
      z.preprocess(() => readRegistrationInput(form), SaveRegistrationForm),
      (input) => saveRegistrationForm(actor, input),
    ),
    addField: settings('field', AddField, (input) => addField(actor, input)),
    changeField: settings('field', ChangeField, (input) => changeField(actor, input)),
    deleteField: settings('fieldDeleted', FieldId, (input) => deleteField(actor, input)),
    setQuizPolicy: settings('tests', QuizPolicy, (input) => setQuizPolicy(actor, input)),
    saveProvider: settings(
      'provider',
      z.preprocess(() => readProviderForm(form), SaveProvider),
      (input) => saveProvider(actor, input),
    ),
    enableProvider: settings('providerOn', ProviderInput, (input) =>
      setProviderEnabled(actor, { ...input, isEnabled: true }),
    ),
    disableProvider: settings('providerOff', ProviderInput, (input) =>
      setProviderEnabled(actor, { ...input, isEnabled: false }),
    ),
    checkProvider: settings('providerChecked', ProviderInput, (input) => checkProvider(actor, input)),
    saveFiscal: settings(
      'fiscal',
      z.preprocess(() => readFiscalForm(form), SaveFiscalService),
      (input) => saveFiscalService(actor, input),
    ),
    enableFiscal: settings('fiscalOn', FiscalServiceInput, (input) =>
      setFiscalEnabled(actor, { ...input, isEnabled: true }),
    ),
    disableFiscal: settings('fiscalOff', FiscalServiceInput, (input) =>
      setFiscalEnabled(actor, { ...input, isEnabled: false }),
    ),
    restoreField: settings('fieldRestored', FieldId, (input) => restoreField(actor, input)),
  }
}

function settings<S extends z.ZodType>(
  saved: SettingsSaved,
  parser: S,
  run: (input: z.output<S>) => Promise<unknown>,
): SettingsForm {
  // `attemptForm` passes the output of the parser.
  return { saved, schema: parser, run: (input) => run(input as z.output<S>) }
}

function readProviderForm(form: FormData) {
  const { intent: _, provider, isTest, ...keys } = Object.fromEntries(form)
  return { provider, isTest: isTest === 'on', keys }
}

function readFiscalForm(form: FormData) {
  const { intent: _, service, ...keys } = Object.fromEntries(form)
  return { service, keys }
}

/** A color field always has a value, so a checkbox states whether the school has its own color. */
function schoolWithColor(form: FormData) {
  const withColor = (input: unknown) =>
    form.has('ownColor') || typeof input !== 'object' ? input : { ...input, primaryColor: '' }
  return z.preprocess(withColor, schema.UpdateSchool)
}

async function bytesOf(value: FormDataEntryValue | null): Promise<Uint8Array> {
  if (!(value instanceof File)) throw new Refusal('invalid', { fields: { logo: ['required'] } })
  return new Uint8Array(await value.arrayBuffer())
}
