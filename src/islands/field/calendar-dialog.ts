import { type Locale, localeTag } from '#lib/core/shared/locale.ts'
import { parseDateInput } from '#lib/core/shared/text/date-input.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { addMonths, dayForKey, weeksOfMonth } from './calendar-days.ts'
import { createElement, openFieldDialog } from './field-dialog.ts'

interface CalendarOptions {
  field: HTMLElement
  t: Translate
  locale: Locale
  /** The chosen day, or an empty string. */
  day: string
  /** The time, if the field has one. */
  time?: string | undefined
  today: string
  canClear: boolean
  /** Receives the chosen day and time; an empty day clears the field. */
  onChoose: (day: string, time: string) => void
}

/** Opens a calendar next to a date field: a grid of days from Monday to Sunday, with the time if the field has one. */
export function openCalendar({ field, t, locale, day, time, today, canClear, onChoose }: CalendarOptions): void {
  const tag = localeTag(locale)
  const format = (shape: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...shape, timeZone: 'UTC' })
  const [monthName, dayName] = [format({ month: 'long', year: 'numeric' }), format({ dateStyle: 'full' })]
  const [weekday, weekdayName] = [format({ weekday: 'short' }), format({ weekday: 'long' })]
  let focused = day || today
  let chosen = day

  const heading = createElement('h2', { class: 'calendar-heading', 'aria-live': 'polite', id: 'field-calendar-month' })
  const body = createElement('tbody')
  const monday = Date.UTC(2024, 0, 1)
  const columns = Array.from({ length: 7 }, (_, index) => new Date(monday + index * DAY_MS))
  const head = createElement(
    'tr',
    {},
    columns.map((date) =>
      createElement('th', { scope: 'col', abbr: weekdayName.format(date) }, [weekday.format(date)]),
    ),
  )
  const grid = createElement('table', { class: 'calendar', role: 'grid', 'aria-labelledby': 'field-calendar-month' }, [
    createElement('thead', {}, [head]),
    body,
  ])
  const timeInput = createElement('input', {
    class: 'input input-sm w-24',
    value: time,
    inputmode: 'numeric',
    autocomplete: 'off',
    placeholder: '19:00',
    id: 'field-calendar-time',
  })
  const turnButton = (label: string, icon: string, months: number) => {
    const button = createElement(
      'button',
      { type: 'button', class: 'btn btn-ghost btn-sm btn-square text-lg', 'aria-label': label },
      [icon],
    )
    button.addEventListener('click', () => showMonth(addMonths(focused, months)))
    return button
  }
  const textButton = (label: string, className: string, run: () => void) => {
    const button = createElement('button', { type: 'button', class: `btn btn-sm ${className}` }, [label])
    button.addEventListener('click', run)
    return button
  }
  const finish = (value: string) => {
    const clock = time === undefined ? '' : parseDateInput('time', timeInput.value, today)
    if (clock === null) {
      timeInput.setAttribute('aria-invalid', 'true')
      return timeInput.focus()
    }
    dialog.close()
    onChoose(value, clock)
  }
  const choose = (value: string) => {
    chosen = value
    if (time === undefined) return finish(value)
    showMonth(value)
    timeInput.focus()
    timeInput.select()
  }

  function showMonth(value: string): void {
    focused = value
    heading.textContent = monthName.format(new Date(focused))
    body.replaceChildren(...weeksOfMonth(focused).map((week) => createElement('tr', {}, week.map(renderDay))))
  }

  function renderDay(date: string | null): HTMLElement {
    if (date === null) return createElement('td')
    const button = createElement(
      'button',
      {
        type: 'button',
        class: 'calendar-day',
        'data-day': date,
        tabindex: date === focused ? '0' : '-1',
        'aria-label': dayName.format(new Date(date)),
        'aria-pressed': String(date === chosen),
        'aria-current': date === today ? 'date' : undefined,
      },
      [String(Number(date.slice(8)))],
    )
    button.addEventListener('click', () => choose(date))
    return createElement('td', {}, [button])
  }

  grid.addEventListener('keydown', (event) => {
    const next = dayForKey(focused, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    showMonth(next)
    focusDay()
  })
  timeInput.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') finish(chosen || focused)
  })
  const focusDay = () => body.querySelector<HTMLElement>('[tabindex="0"]')?.focus()

  showMonth(focused)
  const header = createElement('div', { class: 'calendar-header' }, [
    heading,
    turnButton(t('field:date.previous'), '‹', -1),
    turnButton(t('field:date.next'), '›', 1),
  ])
  const footer = createElement('div', { class: 'calendar-footer' }, [
    ...(time === undefined
      ? []
      : [createElement('label', { class: 'calendar-time' }, [t('field:date.time'), timeInput])]),
    textButton(t('field:date.today'), 'btn-ghost', () => choose(today)),
    ...(canClear ? [textButton(t('field:date.clear'), 'btn-ghost', () => clear())] : []),
    time === undefined
      ? textButton(t('field:date.close'), '', () => dialog.close())
      : textButton(t('field:date.done'), 'btn-primary', () => finish(chosen || focused)),
  ])
  const dialog = openFieldDialog(field, t('field:date.calendar'), [header, grid, footer])
  const clear = () => {
    dialog.close()
    onChoose('', '')
  }
  focusDay()
}
