import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { findClockAmbiguity } from '#lib/workshop/rules.ts'

/** Says below day and time when the clocks of the zone skip that time or show it twice. */
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
