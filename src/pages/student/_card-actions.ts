import type { AstroGlobal } from 'astro'
import { withIsoDays } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { endAllDevices, endDevice } from '#lib/student/card/devices.ts'
import { addNote, deleteNote, restoreNote, updateNote } from '#lib/student/card/notes.ts'
import { addTag, removeTag, updateProfile } from '#lib/student/card/profile.ts'
import { remindStudent } from '#lib/student/card/reminder.ts'
import * as schema from '#lib/student/card/schema.ts'
import { SaveFields } from '#lib/student/fields/schema.ts'
import { saveFieldValues } from '#lib/student/fields/values.ts'
import { cancelEmailCorrection, requestEmailCorrection } from '#lib/student/sign-in/correction.ts'
import { createLoginLink } from '#lib/student/sign-in/login-link.ts'
import { CorrectEmail, type CreatedLoginLink } from '#lib/student/sign-in/schema.ts'
import { cardSections } from '#lib/student-card.ts'
import { formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'
import { accessActions } from '../course/_access/access-actions.ts'

export const CARD_NOTICES = [
  'profile',
  'fields',
  'tag',
  'note',
  'noteDeleted',
  'restored',
  'reminded',
  'remindedBefore',
  'device',
  'devices',
  'changed',
  'undone',
  'correction',
  'correctionCanceled',
] as const
type CardNotice = (typeof CARD_NOTICES)[number]

/**
 * Form actions of the student card; each returns the path to show next, or null to render the page itself. `showLink`
 * receives a login link, which is shown only there.
 */
export function cardActions(
  { url }: Pick<AstroGlobal, 'url'>,
  actor: Actor,
  studentId: string,
  showLink: (link: CreatedLoginLink) => void,
) {
  const courseId = url.searchParams.get('course')
  const shown = (notice: CardNotice, tab?: string, more: Record<string, string> = {}) =>
    `/student/${studentId}?${new URLSearchParams({ ...(tab ? { tab } : {}), notice, ...more })}`
  const noteOf = (form: FormData) => ({ noteId: parseId(formText(form, 'noteId')) })
  return {
    ...(courseId ? accessActions(actor, parseId(courseId), url) : {}),
    profile: async (form: FormData) => {
      await updateProfile(actor, schema.UpdateProfile.parse({ ...Object.fromEntries(form), studentId }))
      return shown('profile')
    },
    saveFields: async (form: FormData) => {
      const values = profileFields(form, actor.tenantTimeZone)
      const revision = formText(form, 'fieldsRevision')
      await saveFieldValues(actor, SaveFields.parse({ studentId, revision, values }))
      return shown('fields')
    },
    correctEmail: async (form: FormData) => {
      await requestEmailCorrection(actor, CorrectEmail.parse({ studentId, email: formText(form, 'email') }))
      return shown('correction')
    },
    cancelCorrection: async () => {
      await cancelEmailCorrection(actor, { studentId })
      return shown('correctionCanceled')
    },
    createLoginLink: async () => {
      showLink(await createLoginLink(actor, { studentId }))
      return null
    },
    addTag: async (form: FormData) => {
      await addTag(actor, schema.StudentTag.parse({ studentId, tag: formText(form, 'tag') }))
      return shown('tag')
    },
    removeTag: async (form: FormData) => {
      await removeTag(actor, schema.StudentTag.parse({ studentId, tag: formText(form, 'tag') }))
      return shown('tag')
    },
    remind: async () =>
      shown((await remindStudent(actor, { studentId }, cardSections)) ? 'reminded' : 'remindedBefore'),
    addNote: async (form: FormData) => {
      await addNote(actor, schema.AddNote.parse({ studentId, ...noteOf(form), text: formText(form, 'text') }))
      return shown('note', 'notes')
    },
    updateNote: async (form: FormData) => {
      await updateNote(actor, schema.UpdateNote.parse(Object.fromEntries(form)))
      return shown('note', 'notes')
    },
    deleteNote: async (form: FormData) => {
      await deleteNote(actor, noteOf(form))
      return shown('noteDeleted', 'notes', { note: noteOf(form).noteId })
    },
    restoreNote: async (form: FormData) => {
      await restoreNote(actor, noteOf(form))
      return shown('restored', 'notes')
    },
    endDevice: async (form: FormData) => {
      await endDevice(actor, { studentId, sessionId: parseId(formText(form, 'sessionId')) })
      return shown('device', 'devices')
    },
    endAllDevices: async () => {
      await endAllDevices(actor, { studentId })
      return shown('devices', 'devices')
    },
  }
}

/** The custom fields of a form by id: `field.<id>`, and days as `day.<id>`. */
function profileFields(form: FormData, zone: string): Record<string, string> {
  const texts = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]))
  const days = Object.keys(texts).filter((name) => name.startsWith('day.'))
  const fields = Object.entries(withIsoDays(texts, days, zone)).filter(([name]) => /^(field|day)\./.test(name))
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(name.indexOf('.') + 1), value]))
}
