import { readPageLocale } from '#islands/stores/page-locale.ts'
import { type DateKind, formatDateInput, parseDateInput } from '#lib/core/shared/text/date-input.ts'
import { findClockAmbiguity, isTimeZone, localDay } from '#lib/core/shared/time-zone.ts'
import { createElement } from './field-dialog.ts'
import { loadFieldStrings } from './field-strings.ts'

const DEFAULT_TIME = '09:00'

/**
 * A text field for a date, a time or both, with the markup of islands/field/DateField.tsx. It parses the formats of
 * both languages, opens a calendar, and shows a message for invalid text. Forms submit its ISO value. A change fires
 * `datechange` with that value, empty while the text is not a date.
 */
class DateFieldElement extends HTMLElement {
  private lastValue = ''

  connectedCallback(): void {
    this.lastValue = this.parse(this.input?.defaultValue)
    this.addEventListener('change', this)
    this.addEventListener('input', this)
    this.addEventListener('click', this)
    this.addEventListener('keydown', this)
    const button = this.button
    if (button) void loadFieldStrings().then((t) => button.setAttribute('aria-label', t('field:date.open')))
    // The text may have been typed before this script was loaded.
    this.reportChange()
  }

  get kind(): DateKind {
    const { kind } = this.dataset
    return kind === 'time' || kind === 'datetime' ? kind : 'date'
  }

  get input(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  /** The ISO value, empty when the text is invalid. */
  get value(): string {
    return this.parse(this.input?.value)
  }

  /** Shows a value and fires the events of typing. */
  set value(value: string) {
    const { input } = this
    if (!input) return
    input.value = value === '' ? '' : formatDateInput(value, readPageLocale())
    input.dispatchEvent(new Event('input', { bubbles: true }))
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }

  handleEvent(event: Event): void {
    const { target } = event
    if (!(target instanceof Element) || target.closest('dialog')) return
    if (event.type === 'change') this.commit()
    if (event.type === 'input') {
      this.clearMessage()
      this.reportChange()
    }
    if (event.type === 'click' && target.closest('button') === this.button) void this.openCalendar()
    if (
      event instanceof KeyboardEvent &&
      event.type === 'keydown' &&
      event.altKey &&
      event.key === 'ArrowDown' &&
      this.button
    ) {
      event.preventDefault()
      void this.openCalendar()
    }
  }

  private parse(text = ''): string {
    return parseDateInput(this.kind, text, this.today) ?? ''
  }

  private get button(): HTMLButtonElement | null {
    return this.querySelector(':scope > button')
  }

  private get zone(): string {
    const { zone = '' } = this.dataset
    return isTimeZone(zone) ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone
  }

  private get today(): string {
    return localDay(new Date(), this.zone)
  }

  private commit(): void {
    const { input, value } = this
    if (!input) return
    if (value) input.value = formatDateInput(value, readPageLocale())
    else if (input.value.trim() !== '') void this.showMessage(`errors:${this.kind}_format`, true)
    this.warnAboutClocks(value)
    this.reportChange()
  }

  /** Also while typing, so that a button that is clicked immediately afterwards finds the value. */
  private reportChange(): void {
    const { value } = this
    if (value === this.lastValue) return
    this.lastValue = value
    this.dispatchEvent(new CustomEvent('datechange', { detail: value, bubbles: true }))
  }

  private warnAboutClocks(value: string): void {
    const [day, time] = value.split('T')
    if (!day || !time || !this.dataset.zone) return
    const ambiguity = findClockAmbiguity(day, time, this.zone)
    if (ambiguity === 'skipped') void this.showMessage('errors:time_skipped', true)
    if (ambiguity === 'twice') void this.showMessage('field:date.twice', false)
  }

  private async showMessage(
    key: `errors:${DateKind}_format` | 'errors:time_skipped' | 'field:date.twice',
    invalid: boolean,
  ): Promise<void> {
    const { input } = this
    const t = await loadFieldStrings(invalid ? 'errors' : 'field')
    this.clearMessage()
    if (!input) return
    const id = `${input.id}-date-error`
    this.append(
      createElement(
        'p',
        { class: invalid ? 'field-error' : 'field-hint', role: 'alert', id, 'data-date-message': '' },
        [t(key)],
      ),
    )
    input.setAttribute('aria-describedby', `${this.describedBy()} ${id}`.trim())
    if (!invalid) return
    input.setAttribute('aria-invalid', 'true')
    input.setCustomValidity(t(key))
  }

  private clearMessage(): void {
    const { input } = this
    const message = this.querySelector('[data-date-message]')
    if (!input || !message) return
    message.remove()
    input.setCustomValidity('')
    input.removeAttribute('aria-invalid')
    input.setAttribute('aria-describedby', this.describedBy())
  }

  /** The hint or the server's error of the field, without its own message. */
  private describedBy(): string {
    const { input } = this
    return (input?.getAttribute('aria-describedby') ?? '').replace(`${input?.id}-date-error`, '').trim()
  }

  private async openCalendar(): Promise<void> {
    const { input, kind, today } = this
    if (!input || input.disabled || this.querySelector('dialog')) return
    const [t, { openCalendar }] = await Promise.all([loadFieldStrings(), import('./calendar-dialog.ts')])
    const [day = '', time = DEFAULT_TIME] = this.value.split('T')
    openCalendar({
      field: this,
      t,
      locale: readPageLocale(),
      day,
      time: kind === 'datetime' ? time : undefined,
      today,
      canClear: !input.required && input.value !== '',
      onChoose: (chosenDay, chosenTime) => {
        this.value = chosenDay && chosenTime ? `${chosenDay}T${chosenTime}` : chosenDay
      },
    })
  }
}

/** Forms submit the ISO values of date fields; invalid text is submitted as typed and refused by the server. */
function submitIsoValues({ target, formData }: FormDataEvent): void {
  if (!(target instanceof HTMLFormElement)) return
  const fields = [...target.querySelectorAll('date-field')].filter((field) => field instanceof DateFieldElement)
  const names = new Set(fields.map(({ input }) => (input?.disabled ? '' : (input?.name ?? ''))))
  names.delete('')
  for (const name of names) {
    const values = fields.flatMap(({ input, value }) => (input?.name === name ? [value || input.value] : []))
    formData.delete(name)
    for (const value of values) formData.append(name, value)
  }
}

if (!customElements.get('date-field')) {
  customElements.define('date-field', DateFieldElement)
  document.addEventListener('formdata', submitIsoValues)
}
