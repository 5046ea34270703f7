import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Access } from '#lib/course/access/access-reason.ts'

/** A sentence that explains why something is closed and when it opens, in the reader's zone. */
export function reasonText(access: Access, t: Translate, timeZone: string, locale: Locale): string {
  if (access.after) return t(`course:locked.after_${access.after.require}`, { title: access.after.title })
  if (!access.at) return t(keyFrom(`course:locked.${access.reason}`))
  const at = formatDateTime(access.at, timeZone, locale)
  const zone = timeZone === 'Europe/Kyiv' ? t('course:inKyiv') : timeZone
  return t(keyFrom(`course:locked.${access.reason}_at`), { at, zone })
}
