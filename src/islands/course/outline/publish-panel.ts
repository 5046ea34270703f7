const PANEL = '#publish-panel'

/**
 * Loads the publication checks of the open page again, with the button that they enable: they depend on the saved lessons.
 * Without a connection the ones before stay.
 */
export async function refreshPublishPanel(): Promise<void> {
  if (!document.querySelector(PANEL)) return
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null)
  if (!response?.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [shown, current] = [document.querySelector(PANEL), page.querySelector(PANEL)]
  if (!shown || !current) return
  const hadFocus = shown.contains(document.activeElement)
  shown.replaceWith(current)
  if (hadFocus) current.querySelector<HTMLElement>('button:enabled, a')?.focus()
}
