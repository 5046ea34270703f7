import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { formatTime, type Locale, localeTag } from '#lib/core/shared/locale.ts'
import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { localDay, localTime } from '#lib/core/shared/time-zone.ts'
import { formatZoneName } from '#lib/core/shared/time-zone-names.ts'
import type { SchedulePeriod } from '#lib/schedule/period.ts'
import type { ScheduleDay } from '#lib/schedule/schedule.ts'
import type { ScheduleRequest } from '#lib/schedule/schema.ts'
import { schedulePath } from './_schedule-query.ts'

interface DaysView {
  request: ScheduleRequest
  period: SchedulePeriod
  days: readonly ScheduleDay[]
  zone: string
  secondZone: string | null
  t: Translate
  locale: Locale
}

/**
 * The days of a view as HTML. A month has hundreds of items, so it is one string: components would take ten times as
 * long. The same list is a calendar on wide screens and an agenda on phones, where days without items are hidden.
 */
export function renderDays(view: DaysView): string {
  const { request, days, period } = view
  const month = request.view === 'month' ? period.date.slice(0, 7) : null
  const paths = viewPaths(request)
  const shown = request.view === 'agenda' ? days.filter(({ items }) => items.length > 0) : days
  const list = shown.map((day) => renderDay(view, day, month, paths)).join('')
  return `<ol class="schedule-days schedule-${request.view}" data-schedule>${list}</ol>`
}

interface ViewPaths {
  day: (day: string) => string
  item: string
}

// The paths of all items differ in the end only.
function viewPaths(request: ScheduleRequest): ViewPaths {
  const item = schedulePath(request)
  const day = schedulePath(request, { view: 'day', date: null })
  return {
    item: escapeHtml(`${item}${item.includes('?') ? '&' : '?'}`),
    day: (date) => escapeHtml(`${day}&date=${date}`),
  }
}

function renderDay(
  view: DaysView,
  { day, items, omitted }: ScheduleDay,
  month: string | null,
  paths: ViewPaths,
): string {
  const { t, locale, period } = view
  const classes = [
    'schedule-day',
    items.length === 0 && 'schedule-day-empty',
    day === period.today && 'schedule-day-today',
    month !== null && !day.startsWith(month) && 'schedule-day-outside',
  ]
  const names = dayNames(day, locale)
  const heading = `<h3 class="schedule-date"><a href="${paths.day(day)}"${day === period.today ? ' aria-current="date"' : ''}><span class="schedule-number" aria-hidden="true">${names.number}</span><span class="schedule-name">${escapeHtml(names.full)}</span></a></h3>`
  const list = items.map((item) => renderItem(view, item, day, paths)).join('')
  const more =
    omitted > 0
      ? `<a class="schedule-more" href="${paths.day(day)}">${escapeHtml(t('schedule:day.more', { count: omitted }))}</a>`
      : ''
  return `<li class="${classes.filter(Boolean).join(' ')}" data-day="${day}">${heading}${list && `<ul>${list}</ul>`}${more}</li>`
}

function renderItem(view: DaysView, item: ScheduleItem, day: string, paths: ViewPaths): string {
  const { t, locale, zone, secondZone, request } = view
  const { kind, id, title, startAt, context, isDraft, isCanceled, moveTarget } = item
  const time = formatTime(startAt, zone, locale)
  const isCompact = request.view === 'month'
  const span = isCompact || !item.endAt ? time : `${time}–${formatTime(item.endAt, zone, locale)}`
  const second = isCompact || !secondZone ? '' : secondTime(view, item, secondZone, day)
  const draft = kind === 'booking' ? t('schedule:state.requested') : t('schedule:state.draft')
  const state = isCanceled ? t('schedule:state.canceled') : isDraft ? draft : ''
  const kindLabel = t(`schedule:kind.${kind}`)
  const details = [title && kindLabel, context, state].filter(Boolean).join(' · ')
  const label = isCompact
    ? `<span class="sr-only">${escapeHtml(details)}</span>`
    : `<span class="schedule-context">${escapeHtml(details)}</span>`
  const movable = moveTarget ? ` data-movable data-time="${localTime(startAt, zone)}"` : ''
  return `<li><a class="schedule-item schedule-kind-${kind}${isCanceled ? ' schedule-item-canceled' : ''}${isDraft ? ' schedule-item-draft' : ''}" href="${paths.item}day=${day}&amp;item=${kind}:${id}"${movable}><time datetime="${startAt.toISOString()}">${span}</time>${second} <span class="schedule-title">${escapeHtml(title || kindLabel)}</span> ${label}</a></li>`
}

function secondTime({ t, locale }: DaysView, { startAt }: ScheduleItem, zone: string, day: string): string {
  const sign = localDay(startAt, zone) > day ? '+1' : localDay(startAt, zone) < day ? '−1' : ''
  const text = `${formatTime(startAt, zone, locale)}${sign && ` (${sign})`}`
  return ` <span class="schedule-second" title="${escapeHtml(formatZoneName(t, startAt, zone, locale))}">${text}</span>`
}

function dayNames(day: string, locale: Locale): { number: string; full: string } {
  const known = DAY_NAMES.get(`${locale} ${day}`)
  if (known) return known
  const tag = localeTag(locale)
  const format = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const names = { number: String(Number(day.slice(8))), full: format.format(new Date(`${day}T00:00:00Z`)) }
  if (DAY_NAMES.size > 5000) DAY_NAMES.clear()
  DAY_NAMES.set(`${locale} ${day}`, names)
  return names
}

const DAY_NAMES = new Map<string, { number: string; full: string }>()
