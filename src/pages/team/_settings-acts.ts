import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
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
import { readRegistrationForm } from './_registration-fields.ts'

/** What the settings of the school can report as saved: `settings:saved.<name>`. */
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
] as const
export type SettingsSaved = (typeof SETTINGS_SAVED)[number]

export interface SettingsForm {
  saved: SettingsSaved
  schema: z.ZodType
  act(input: unknown): Promise<unknown>
}

/** The form of the tab with this field `act`. Throws invalid when there is none. */
export function settingsForm(actor: Actor, action: string, form: FormData): SettingsForm {
  switch (action) {
    case 'updateSchool':
      return settings('school', schoolWithColor(form), (input) => updateSchool(actor, input))
    case 'setLogo':
      return settings('logo', z.unknown(), async () => setLogo(actor, await bytesOf(form.get('logo'))))
    case 'removeLogo':
      return settings('logoRemoved', z.unknown(), () => removeLogo(actor))
    case 'changeSubdomain':
      return settings('subdomain', schema.ChangeSubdomain, (input) => changeSubdomain(actor, input))
    case 'requestReplyTo':
      return settings('replyToSent', schema.RequestReplyTo, (input) => requestReplyTo(actor, input))
    case 'confirmReplyTo':
      return settings('replyTo', schema.ConfirmReplyTo, (input) => confirmReplyTo(actor, input))
    case 'removeReplyTo':
      return settings('replyToRemoved', z.unknown(), () => removeReplyTo(actor))
    case 'addDomain':
      return settings('domain', schema.AddDomain, (input) => addDomain(actor, input))
    case 'checkDomain':
      return settings('domainChecked', z.unknown(), () => checkDomain(actor))
    case 'removeDomain':
      return settings('domainRemoved', z.unknown(), () => removeDomain(actor))
    case 'saveRegistration':
      return settings(
        'registration',
        z.preprocess(() => readRegistrationForm(form), SaveRegistrationForm),
        (input) => saveRegistrationForm(actor, input),
      )
    case 'addField':
      return settings('field', AddField, (input) => addField(actor, input))
    case 'changeField':
      return settings('field', ChangeField, (input) => changeField(actor, input))
    case 'deleteField':
      return settings('fieldDeleted', FieldId, (input) => deleteField(actor, input))
    case 'restoreField':
      return settings('fieldRestored', FieldId, (input) => restoreField(actor, input))
    default:
      throw new Refusal('invalid')
  }
}

function settings<S extends z.ZodType>(
  saved: SettingsSaved,
  parser: S,
  run: (input: z.output<S>) => Promise<unknown>,
): SettingsForm {
  // `attemptForm` passes what the parser returned.
  return { saved, schema: parser, act: (input) => run(input as z.output<S>) }
}

/** A colour field always has a value, so a checkbox says whether the school has a colour of its own. */
function schoolWithColor(form: FormData) {
  const withColor = (input: unknown) =>
    form.has('ownColor') || typeof input !== 'object' ? input : { ...input, primaryColor: '' }
  return z.preprocess(withColor, schema.UpdateSchool)
}

async function bytesOf(value: FormDataEntryValue | null): Promise<Uint8Array> {
  if (!(value instanceof File)) throw new Refusal('invalid', { fields: { logo: ['required'] } })
  return new Uint8Array(await value.arrayBuffer())
}
