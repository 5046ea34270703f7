import { formatOccasion, formatZone, isLocale, type Locale } from '#lib/core/shared/locale.ts'

/*
 * The page of a registration is the same for everybody and cached; what only the visitor's browser knows is added here:
 * the time by their own clock, and for the form their zone and where they come from.
 */
const page = document.querySelector<HTMLElement>('[data-register]')
if (page) greet(page)

function greet(page: HTMLElement): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { language: locale, type, zone: there } = page.dataset
  if (!zone || !isLocale(locale)) return
  fillForms(page, zone)
  const start = page.querySelector<HTMLTimeElement>('[data-start]')?.dateTime
  if (start && !sameClock(start, zone, there ?? zone)) showHere(page, start, zone, locale)
  const showings = page.querySelector<HTMLElement>('[data-showings]')
  if (type !== 'autoWebinar' || !showings) return
  // What is shown by the visitor's own clock was made for another one's.
  if (showings.dataset.showings !== zone && !new URLSearchParams(location.search).has('zone')) {
    const asked = new URLSearchParams(location.search)
    asked.set('zone', zone)
    location.replace(`?${asked}`)
    return
  }
  const kyiv = page.dataset.kyiv ?? ''
  for (const words of showings.querySelectorAll<HTMLElement>('[data-at]')) {
    words.textContent = wordsOf(words.dataset.at ?? '', zone, locale, kyiv)
  }
}

function fillForms(page: HTMLElement, zone: string): void {
  const asked = [...new URLSearchParams(location.search)].filter(([name]) => /^utm_[a-z]{1,20}$/.test(name))
  const from = document.referrer && new URL(document.referrer).origin !== location.origin ? document.referrer : ''
  const source = [...asked, ...(from ? [['referrer', from] as const] : [])]
  for (const form of page.querySelectorAll<HTMLFormElement>('[data-visit]')) {
    const field = form.querySelector<HTMLInputElement>('[data-visitor-zone]')
    if (field) field.value = zone
    for (const [name, value] of source) {
      const hidden = document.createElement('input')
      Object.assign(hidden, { type: 'hidden', name, value: value.slice(0, 200) })
      form.append(hidden)
    }
  }
}

function showHere(page: HTMLElement, start: string, zone: string, locale: Locale): void {
  const line = page.querySelector<HTMLElement>('[data-here]')
  if (!line) return
  line.textContent = (line.dataset.here ?? '').replace('@', wordsOf(start, zone, locale, page.dataset.kyiv ?? ''))
  line.hidden = false
}

function wordsOf(at: string, zone: string, locale: Locale, kyiv: string): string {
  const there = zone === 'Europe/Kyiv' || zone === 'Europe/Kiev' ? kyiv : formatZone(at, zone, locale)
  return `${formatOccasion(at, zone, locale)} ${there}`
}

// Two zones may show the same time.
function sameClock(at: string, one: string, other: string): boolean {
  return formatOccasion(at, one, 'en') === formatOccasion(at, other, 'en')
}
