// Whoever has been let in before comes back to their own page; the form tells the visitor's time zone.
const visits = 'masterclass visits'
const id = location.pathname.split('/')[2] ?? ''
const known: Record<string, string> = JSON.parse(localStorage.getItem(visits) ?? '{}')
const query = new URLSearchParams(location.search)

if (query.has('key')) {
  // This key opened nothing: it is not to be tried again.
  if (known[id] === query.get('key')) {
    delete known[id]
    localStorage.setItem(visits, JSON.stringify(known))
  }
} else if (known[id] && !document.querySelector('[data-enter] [role=alert]')) {
  location.replace(`${location.pathname}?${new URLSearchParams({ key: known[id] })}`)
}
const zone = document.querySelector<HTMLInputElement>('[data-enter] [name=timeZone]')
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone
