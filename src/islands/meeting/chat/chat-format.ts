import { useSyncExternalStore } from 'react'
import { CallError } from '#islands/stores/call-error.ts'
import { formatTime, type Locale } from '#lib/core/shared/locale.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { MESSAGE_REFUSALS } from '#lib/meeting/chat/schema.ts'

/** Formats the time of day in the reader's time zone. */
const formatTimeOfDay = (at: number, locale: Locale): string => formatTime(new Date(at), localTimeZone(), locale)

/** Returns the reader's time zone; null before hydration, because it is not available on the server. */
export const useTimeZone = (): string | null => useSyncExternalStore(subscribeToNothing, localTimeZone, () => null)

const subscribeToNothing = () => () => {}
let cachedZone = ''
const localTimeZone = (): string => {
  cachedZone ||= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return cachedZone
}

/** Returns the text of a refusal. */
export function refusalText(t: Translate, refusal: string | null, until: number | null, locale: Locale): string {
  const hasOwnText = MESSAGE_REFUSALS.some((code) => code === refusal) || refusal === 'too_late' || refusal === 'server'
  return t(keyFrom(`meeting:refused.${hasOwnText ? refusal : 'other'}`), {
    time: until === null ? '' : formatTimeOfDay(until, locale),
  })
}

/** Returns the text of an action's error. */
export function errorTextOf(t: Translate, error: unknown, locale: Locale): string {
  const { data, message, unexpected } = CallError.from(error)
  const reason = typeof data.reason === 'string' ? data.reason : null
  if (reason === 'too_late') return refusalText(t, reason, null, locale)
  return unexpected || !message ? t('meeting:chat.failedAct') : message
}
