import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { findClockAmbiguity } from '#lib/workshop/rules.ts'

/** Shows a warning when the start time does not exist or exists twice in its time zone. */
export function showStartTimeWarning(form: HTMLFormElement): () => void {
  const section = form.querySelector<HTMLElement>('[data-start]')
  const warningText = section?.querySelector<HTMLElement>('[data-doubt]')
  if (!section || !warningText) return () => {}
  const readField = (name: string) => {
    const field = form.elements.namedItem(name)
    return field instanceof HTMLInputElement ? field.value : ''
  }
  const updateWarning = () => {
    const [day, time, zone] = [readField('startDay'), readField('startTime').slice(0, 5), readField('timeZone')]
    const ambiguity = day && time && isTimeZone(zone) ? findClockAmbiguity(day, time, zone) : null
    warningText.textContent =
      (ambiguity === 'skipped' ? section.dataset.skipped : ambiguity ? section.dataset.twice : '') ?? ''
    warningText.classList.toggle('hidden', !ambiguity)
  }
  section.addEventListener('input', updateWarning)
  return () => section.removeEventListener('input', updateWarning)
}
