import { formatFullDateTime, formatZone, isLocale, type Locale } from '#lib/core/shared/locale.ts'

/*
 * The registration page is cached and the same for all visitors. This adds what depends on the visitor: the start in
 * their time zone, and for the form their time zone, referrer and campaign parameters.
 */
const page = document.querySelector<HTMLElement>('[data-register]')
if (page) adaptToVisitor(page)

function adaptToVisitor(page: HTMLElement): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { language: locale, type, zone: eventZone } = page.dataset
  if (!zone || !isLocale(locale)) return
  fillForms(page, zone)
  const start = page.querySelector<HTMLTimeElement>('[data-start]')?.dateTime
  if (start && !isSameLocalTime(start, zone, eventZone ?? zone)) showLocalStart(page, start, zone, locale)
  const sessionList = page.querySelector<HTMLElement>('[data-sessions]')
  if (type !== 'autoWebinar' || !sessionList) return
  // The list of sessions was rendered for another time zone.
  if (sessionList.dataset.sessions !== zone && !new URLSearchParams(location.search).has('zone')) {
    const query = new URLSearchParams(location.search)
    query.set('zone', zone)
    location.replace(`?${query}`)
    return
  }
  const kyiv = page.dataset.kyiv ?? ''
  for (const timeText of sessionList.querySelectorAll<HTMLElement>('[data-at]')) {
    timeText.textContent = formatStart(timeText.dataset.at ?? '', zone, locale, kyiv)
  }
}

function fillForms(page: HTMLElement, zone: string): void {
  const utmParameters = [...new URLSearchParams(location.search)].filter(([name]) => /^utm_[a-z]{1,20}$/.test(name))
  const referrer = document.referrer && new URL(document.referrer).origin !== location.origin ? document.referrer : ''
  const sourceFields = [...utmParameters, ...(referrer ? [['referrer', referrer] as const] : [])]
  for (const form of page.querySelectorAll<HTMLFormElement>('[data-visit]')) {
    const field = form.querySelector<HTMLInputElement>('[data-visitor-zone]')
    if (field) field.value = zone
    for (const [name, value] of sourceFields) {
      const hidden = document.createElement('input')
      Object.assign(hidden, { type: 'hidden', name, value: value.slice(0, 200) })
      form.append(hidden)
    }
  }
}

function showLocalStart(page: HTMLElement, start: string, zone: string, locale: Locale): void {
  const paragraph = page.querySelector<HTMLElement>('[data-here]')
  if (!paragraph) return
  paragraph.textContent = (paragraph.dataset.here ?? '').replace(
    '@',
    formatStart(start, zone, locale, page.dataset.kyiv ?? ''),
  )
  paragraph.hidden = false
}

function formatStart(startAt: string, zone: string, locale: Locale, kyiv: string): string {
  const zoneName = zone === 'Europe/Kyiv' || zone === 'Europe/Kiev' ? kyiv : formatZone(startAt, zone, locale)
  return `${formatFullDateTime(startAt, zone, locale)} ${zoneName}`
}

// Different zones may have the same local time.
function isSameLocalTime(startAt: string, zone: string, otherZone: string): boolean {
  return formatFullDateTime(startAt, zone, 'en') === formatFullDateTime(startAt, otherZone, 'en')
}
