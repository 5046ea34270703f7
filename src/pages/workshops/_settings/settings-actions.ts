import type { Actor } from '#lib/core/shared/actor.ts'
import { CHAT_MODES } from '#lib/core/shared/event/live-event.ts'
import { trimRecording } from '#lib/meeting/recording/trim.ts'
import { parseTrimTime } from '#lib/meeting/recording/trim-rules.ts'
import { CAPTION_MODES, MAX_FORM_QUESTIONS, SaveSettings, SettingsChange, SPLASHES } from '#lib/workshop/schema.ts'
import { saveSettings } from '#lib/workshop/settings/save.ts'
import { formNumber, formText } from '../../_request/form-actions.ts'
import { readFormBase } from './form-base.ts'

type Page = (tab: string, notice: string) => Promise<string>

/** The forms that change parts of an event's settings. */
export function eventSettingsActions(actor: Actor, workshopId: string, page: Page) {
  const save = async (form: FormData, settings: Record<string, unknown>, tab: string) => {
    const { version, base } = SaveSettings.pick({ version: true, base: true }).parse({
      version: Number(formText(form, 'version')) || 1,
      base: readFormBase(form),
    })
    await saveSettings(actor, { workshopId, version, base, settings: SettingsChange.parse(settings) })
    return page(tab, 'saved')
  }
  return {
    chat: (form: FormData) =>
      save(
        form,
        {
          chat: {
            mode: CHAT_MODES.find((mode) => mode === formText(form, 'mode')) ?? 'open',
            beforeStart: form.has('beforeStart'),
            links: form.has('links') ? 'all' : 'staff',
            slowModeSeconds: formNumber(form, 'slowModeSeconds') ?? 0,
            badWords: wordsOf(formText(form, 'badWords')),
          },
        },
        'chat',
      ),
    recording: (form: FormData) =>
      save(
        form,
        {
          record: form.has('record'),
          captions: CAPTION_MODES.find((mode) => mode === formText(form, 'captions')) ?? 'off',
          replay: replayOf(form),
        },
        'recording',
      ),
    trim: async (form: FormData) => {
      const at = (name: string) => parseTrimTime(formText(form, name)) ?? -1
      await trimRecording(actor, { workshopId, from: at('from'), to: at('to') })
      return page('recording', 'trimmed')
    },
    replay: (form: FormData) => save(form, { replay: replayOf(form) }, 'recording'),
    form: (form: FormData) => {
      const phone = formText(form, 'phone')
      return save(
        form,
        {
          form: {
            phone: phone === 'optional' || phone === 'required' ? phone : 'off',
            approval: form.has('manual') ? 'manual' : 'auto',
            seats: formNumber(form, 'seats'),
            waitlist: form.has('waitlist'),
            marketing: form.has('marketing'),
            questions: questionsOf(form),
          },
        },
        'settings',
      )
    },
    guests: (form: FormData) => save(form, { guests: guestsOf(form) }, 'speakers'),
    splash: (form: FormData) => {
      const readSplash = (name: string) => ({
        text: formText(form, `${name}Text`).replaceAll('\r\n', '\n'),
        fileId: form.has(`${name}None`) ? null : formText(form, `${name}FileId`) || null,
      })
      return save(form, { splash: Object.fromEntries(SPLASHES.map((name) => [name, readSplash(name)])) }, 'settings')
    },
  }
}

/** Rows without a name are ignored. */
function guestsOf(form: FormData) {
  const names = form.getAll('guestName').map((name) => String(name).trim())
  const at = (name: string, place: number) => String(form.getAll(name)[place] ?? '')
  return names.flatMap((name, place) =>
    name === '' ? [] : [{ name, about: at('guestAbout', place), fileId: at(`guestFileId`, place) || null }],
  )
}

const replayOf = (form: FormData) => ({
  enabled: form.has('replay'),
  days: formNumber(form, 'days'),
  seek: form.has('seek'),
  chat: form.has('replayChat'),
})

function questionsOf(form: FormData) {
  return Array.from({ length: MAX_FORM_QUESTIONS }, (_, place) => {
    const at = (name: string) => formText(form, `question${place}${name}`)
    return {
      id: at('Id') || `q${crypto.randomUUID().slice(0, 8)}`,
      label: at('Label').trim(),
      kind: at('Kind'),
      options: wordsOf(at('Options')),
      required: form.has(`question${place}Required`),
    }
  }).filter(({ label }) => label !== '')
}

/** One per line, without duplicates. */
function wordsOf(typed: string): string[] {
  const lines = typed.split(/\r?\n/).map((text) => text.trim())
  return [...new Set(lines)].filter((text) => text !== '')
}
