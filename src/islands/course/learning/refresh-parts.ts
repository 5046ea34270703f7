/**
 * Refreshes the parts of the page that a completed lesson changes: outline, adjacent lessons and the next step. They
 * are taken from the server's HTML, so that access is rendered in one place.
 */
export async function refreshParts(): Promise<void> {
  const href = location.href
  const response = await fetch(href, { headers: { accept: 'text/html' } }).catch(() => null)
  if (!response?.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (location.href !== href) return
  for (const part of document.querySelectorAll<HTMLElement>('[data-redraw]')) {
    const updated = page.querySelector<HTMLElement>(`[data-redraw="${part.dataset.redraw}"]`)
    if (!updated) continue
    const focused = part.contains(document.activeElement)
    const openStates = [...part.querySelectorAll('details')].map(({ open }) => open)
    part.replaceWith(document.adoptNode(updated))
    for (const [index, fold] of [...updated.querySelectorAll('details')].entries())
      fold.open = openStates[index] ?? fold.open
    if (focused) updated.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }
}
