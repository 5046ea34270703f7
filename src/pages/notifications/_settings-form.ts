import type { Actor } from '#lib/core/shared/actor.ts'
import { listMutes, unmuteSubject } from '#lib/notification/settings/mute.ts'
import { SaveNotificationSettings } from '#lib/notification/settings/schema.ts'
import { saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'

const HERE = '/notifications/settings'

/** Form actions of the notification settings. */
export function settingsActions(actor: Actor): FormActions {
  return {
    save: async (form) => {
      await saveNotificationSettings(actor, parseSettings(form))
      return `${HERE}?saved=saved`
    },
    unmuteAll: async () => {
      for (const subject of await listMutes(actor)) await unmuteSubject(actor, subject)
      return `${HERE}?saved=unmuted`
    },
  }
}

/** The field of a frequency is named `<topic>.<channel>`. */
export const frequencyField = (topic: string, channel: string): string => `${topic}.${channel}`

function parseSettings(form: FormData): SaveNotificationSettings {
  const preferences = [...form].flatMap(([name, frequency]) => {
    const [topic, channel, ...more] = name.split('.')
    return channel && more.length === 0 ? [{ topic, channel, frequency }] : []
  })
  const quiet = form.has('quiet') ? { from: formText(form, 'from'), until: formText(form, 'until') } : null
  return SaveNotificationSettings.parse({ preferences, quiet, dailyCap: formText(form, 'dailyCap') })
}
