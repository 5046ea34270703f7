import { formatFullDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { formatZoneName } from '#lib/core/shared/time-zone-names.ts'

/** «неділя, 25 жовтня 2026 р. о 19:00 за Києвом». */
export const formatWhen = (t: Translate, at: Date, zone: string, locale: Locale): string =>
  t('mentoring:when.full', {
    time: formatFullDateTime(at, zone, locale),
    zone: formatZoneName(t, at, zone, locale),
  })
