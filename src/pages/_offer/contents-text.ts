import { formatDate, formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OfferContents } from '#lib/offer/contents.ts'
import type { OfferSettings } from '#lib/offer/schema.ts'

/** What buyers of an offer get, a line each. */
export function contentsText(
  t: Translate,
  locale: Locale,
  zone: string,
  settings: Pick<
    OfferSettings,
    'withReview' | 'withCertificate' | 'accessFrom' | 'accessType' | 'accessUntil' | 'accessDays' | 'kind'
  >,
  contents: OfferContents,
): string[] {
  return [
    contents.moduleTitles === null
      ? t('offer:contents.course', { title: contents.courseTitle })
      : t('offer:contents.modules', { title: contents.courseTitle, modules: contents.moduleTitles.join(', ') }),
    ...contents.courseTitles.map((title) => t('offer:contents.course', { title })),
    ...contents.events.map(({ title, startAt }) =>
      startAt
        ? t('offer:contents.eventAt', { title, at: formatDateTime(startAt, zone, locale) })
        : t('offer:contents.event', { title }),
    ),
    ...(contents.group ? [groupText(t, locale, contents.group)] : []),
    ...(contents.mentoring ? [mentoringText(t, contents.mentoring)] : []),
    ...(contents.hasTasks ? [t(settings.withReview ? 'offer:contents.review' : 'offer:contents.noReview')] : []),
    ...(settings.withCertificate && contents.hasCertificate ? [t('offer:contents.certificate')] : []),
    ...(settings.accessFrom ? [t('offer:access.from', { at: formatDateTime(settings.accessFrom, zone, locale) })] : []),
    accessText(t, locale, zone, settings),
  ]
}

const groupText = (
  t: Translate,
  locale: Locale,
  { name, startAt, zone }: NonNullable<OfferContents['group']>,
): string => t('offer:contents.group', { name, date: formatDate(startAt, zone, locale) })

function mentoringText(t: Translate, { title, sessions }: NonNullable<OfferContents['mentoring']>): string {
  return sessions === null
    ? t('offer:contents.mentoring', { title })
    : t('offer:contents.mentoringSessions', { title, count: sessions })
}

/** For how long buyers have access. */
function accessText(
  t: Translate,
  locale: Locale,
  zone: string,
  {
    accessType,
    accessUntil,
    accessDays,
    kind,
  }: Pick<OfferSettings, 'accessType' | 'accessUntil' | 'accessDays' | 'kind'>,
): string {
  if (kind === 'subscription') return t('offer:access.whilePaid')
  if (accessType === 'untilDate' && accessUntil) {
    return t('offer:access.until', { date: formatDate(accessUntil, zone, locale) })
  }
  return accessType === 'days' && accessDays !== null
    ? t('offer:access.days', { count: accessDays })
    : t('offer:access.lifetime')
}
