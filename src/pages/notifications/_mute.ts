import { z } from 'zod'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { DAY_MS, HOUR_MS } from '#lib/core/shared/time.ts'
import { muteSubject, unmuteSubject } from '#lib/notification/settings/mute.ts'
import type { MuteSubject } from '#lib/notification/settings/schema.ts'
import type { FormActions } from '../_request/form-actions.ts'

const DURATIONS = { hours: 8 * HOUR_MS, week: 7 * DAY_MS, always: null } as const

const MuteForm = z.object({ duration: z.enum(['hours', 'week', 'always']) })

/** Form actions of a page about a course, group or conversation, whose notifications the actor mutes; then `here` is shown. */
export function muteActions(actor: Actor, subject: MuteSubject, here: string): FormActions {
  return {
    async mute(form) {
      const { duration } = MuteForm.parse(Object.fromEntries(form))
      const length = DURATIONS[duration]
      const until = length === null ? undefined : new Date(Date.now() + length).toISOString()
      await muteSubject(actor, { ...subject, until })
      return here
    },
    async unmute() {
      await unmuteSubject(actor, subject)
      return here
    },
  }
}

/** The entries of a menu that mute the subject of a page, or end it. */
export function muteMenu(t: Translate, mute: { until: Date | null } | null) {
  if (mute) return [{ label: t('notification:mute.end'), intent: 'unmute' }]
  return (['hours', 'week', 'always'] as const).map((duration) => {
    return { label: t(`notification:mute.${duration}`), intent: 'mute', fields: { duration } }
  })
}
