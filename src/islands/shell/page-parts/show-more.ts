/* «Show more» appends the next page of a list; when that fails, the link is opened. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[data-append-to] [rel=next]') : null
  const pages = link?.closest<HTMLElement>('[data-append-to]')
  const list = document.getElementById(pages?.dataset.appendTo ?? '')
  if (!link || !pages || !list) return
  event.preventDefault()
  event.stopPropagation()
  void appendNextPage(link, pages, list)
})

async function appendNextPage(link: HTMLAnchorElement, pages: HTMLElement, list: HTMLElement): Promise<void> {
  if (link.getAttribute('aria-busy')) return
  link.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(link.href)
    const next = new DOMParser().parseFromString(await response.text(), 'text/html')
    const nextList = response.ok ? next.getElementById(list.id) : null
    if (!nextList) throw new Error(`no list ${list.id} in the next page`)
    const rows = [...pageRows(nextList).children].map((row) => document.importNode(row, true))
    pageRows(list).append(...rows)
    const nextLink = next.querySelector<HTMLAnchorElement>(`[data-append-to="${list.id}"] [rel=next]`)
    if (nextLink) {
      link.href = nextLink.href
      link.removeAttribute('aria-busy')
    } else pages.remove()
    rows[0]?.querySelector<HTMLElement>('a, button, input')?.focus()
  } catch {
    location.assign(link.href)
  }
}

const pageRows = (list: HTMLElement) => list.querySelector('[data-page-rows]') ?? list
