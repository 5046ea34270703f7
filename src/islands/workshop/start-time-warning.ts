import { isDateValue } from '#lib/core/shared/text/date-input.ts'
import { findClockAmbiguity, isTimeZone } from '#lib/core/shared/time-zone.ts'

/** Shows a warning when the start time does not exist or exists twice in its time zone. */
export function showStartTimeWarning(form: HTMLFormElement): () => void {
  const section = form.querySelector<HTMLElement>('[data-start]')
  const warningText = section?.querySelector<HTMLElement>('[data-warning]')
  if (!section || !warningText) return () => {}
  const updateWarning = () => {
    const values = new FormData(form)
    const [day = '', time = '', zone = ''] = ['startDay', 'startTime', 'timeZone'].map((name) =>
      String(values.get(name) ?? ''),
    )
    const ambiguity =
      isDateValue('date', day) && isDateValue('time', time) && isTimeZone(zone)
        ? findClockAmbiguity(day, time, zone)
        : null
    warningText.textContent =
      (ambiguity === 'skipped' ? section.dataset.skipped : ambiguity ? section.dataset.twice : '') ?? ''
    warningText.classList.toggle('hidden', !ambiguity)
  }
  section.addEventListener('input', updateWarning)
  return () => section.removeEventListener('input', updateWarning)
}
