import { isZone } from '#lib/core/shared/zone.ts'
import { findClockAmbiguity } from '#lib/workshop/rules.ts'

/** Says below day and time when the clocks of the zone skip that time or show it twice. */
export function warnOfClocks(form: HTMLFormElement): () => void {
  const place = form.querySelector<HTMLElement>('[data-start]')
  const said = place?.querySelector<HTMLElement>('[data-doubt]')
  if (!place || !said) return () => {}
  const typed = (name: string) => {
    const field = form.elements.namedItem(name)
    return field instanceof HTMLInputElement ? field.value : ''
  }
  const look = () => {
    const [day, time, zone] = [typed('startDay'), typed('startTime').slice(0, 5), typed('timeZone')]
    const doubt = day && time && isZone(zone) ? findClockAmbiguity(day, time, zone) : null
    said.textContent = (doubt === 'skipped' ? place.dataset.skipped : doubt ? place.dataset.twice : '') ?? ''
    said.classList.toggle('hidden', !doubt)
  }
  place.addEventListener('input', look)
  return () => place.removeEventListener('input', look)
}
