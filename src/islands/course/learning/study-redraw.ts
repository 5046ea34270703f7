/**
 * Brings the parts of the page that a completed lesson changes: the outline, the neighbours and what comes next. They
 * are taken from the page as the server draws it now, so what is open and why is said in one place only.
 */
export async function redrawParts(): Promise<void> {
  const href = location.href
  const answer = await fetch(href, { headers: { accept: 'text/html' } }).catch(() => null)
  if (!answer?.ok || answer.redirected) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (location.href !== href) return
  for (const part of document.querySelectorAll<HTMLElement>('[data-redraw]')) {
    const fresh = next.querySelector<HTMLElement>(`[data-redraw="${part.dataset.redraw}"]`)
    if (!fresh) continue
    const focused = part.contains(document.activeElement)
    const folds = [...part.querySelectorAll('details')].map(({ open }) => open)
    part.replaceWith(document.adoptNode(fresh))
    for (const [index, fold] of [...fresh.querySelectorAll('details')].entries()) fold.open = folds[index] ?? fold.open
    if (focused) fresh.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }
}
