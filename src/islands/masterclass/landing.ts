import { deviceStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { readVisits, VISITS_STORAGE_KEY } from './visits.ts'

// Returning visitors are sent to their own page; the form gets the visitor's time zone.
const id = location.pathname.split('/')[2] ?? ''
const visits = readVisits()
const query = new URLSearchParams(location.search)

if (query.has('key')) {
  // The key is not valid any more and must not be tried again.
  if (visits[id] === query.get('key')) {
    delete visits[id]
    writeJson(deviceStorage, VISITS_STORAGE_KEY, visits)
  }
} else if (visits[id] && !document.querySelector('[data-enter] [role=alert]')) {
  location.replace(`${location.pathname}?${new URLSearchParams({ key: visits[id] })}`)
}
const zoneInput = document.querySelector<HTMLInputElement>('[data-enter] [name=timeZone]')
if (zoneInput) zoneInput.value = Intl.DateTimeFormat().resolvedOptions().timeZone
