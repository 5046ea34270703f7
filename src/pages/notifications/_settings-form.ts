import type { Actor } from '#lib/core/shared/actor.ts'
import { listMutes, unmuteSubject } from '#lib/notification/settings/mute.ts'
import { SaveNotificationSettings } from '#lib/notification/settings/schema.ts'
import { saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { createTelegramLink, unlinkTelegram } from '#lib/notification/telegram/link.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'

const HERE = '/notifications/settings'

/** Form actions of the notification settings; `showTelegramUrl` receives a link that is shown once. */
export function settingsActions(actor: Actor, showTelegramUrl: (url: string) => void): FormActions {
  return {
    save: async (form) => {
      await saveNotificationSettings(actor, parseSettings(form))
      return `${HERE}?saved=saved`
    },
    unmuteAll: async () => {
      for (const subject of await listMutes(actor)) await unmuteSubject(actor, subject)
      return `${HERE}?saved=unmuted`
    },
    linkTelegram: async () => {
      const { url } = await createTelegramLink(actor)
      showTelegramUrl(url)
      return null
    },
    unlinkTelegram: async () => {
      await unlinkTelegram(actor)
      return `${HERE}?saved=unlinked`
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
