import { deviceStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { readVisits, VISITS } from './visits.ts'

// Whoever has been let in before comes back to their own page; the form tells the visitor's time zone.
const id = location.pathname.split('/')[2] ?? ''
const known = readVisits()
const query = new URLSearchParams(location.search)

if (query.has('key')) {
  // This key opened nothing: it is not to be tried again.
  if (known[id] === query.get('key')) {
    delete known[id]
    writeJson(deviceStorage, VISITS, known)
  }
} else if (known[id] && !document.querySelector('[data-enter] [role=alert]')) {
  location.replace(`${location.pathname}?${new URLSearchParams({ key: known[id] })}`)
}
const zone = document.querySelector<HTMLInputElement>('[data-enter] [name=timeZone]')
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone
