import { loadWhenIdle, prepareReactRefresh } from '#islands/stores/load-when-idle.ts'
import { navigateTo, onPage } from '#islands/stores/page.ts'
import type { BrowserProps } from './browser/listing-query.ts'

/*
 * The list is on the page as plain HTML; what moves comes when the browser has a moment. The form of filters stays as
 * it is: a change of a filter sends it.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('#storage')
  if (!place) return undefined
  const end = loadWhenIdle(() => loadBrowser(place))
  const filters = document.querySelector<HTMLFormElement>('#storage-filters')
  const send = (event: Event) => {
    if (event.target instanceof HTMLSelectElement && filters) navigateTo(`/storage?${toQuery(filters)}`)
  }
  filters?.addEventListener('change', send)
  return () => {
    filters?.removeEventListener('change', send)
    end()
  }
})

async function loadBrowser(place: HTMLElement): Promise<() => void> {
  prepareReactRefresh()
  const { mountStorage } = await import('./StorageIsland.tsx')
  const props: BrowserProps = JSON.parse(place.dataset.props ?? '')
  return mountStorage(place, props)
}

/** What the form asks for, without what is empty. */
function toQuery(form: HTMLFormElement): URLSearchParams {
  const pairs = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  return new URLSearchParams(pairs.filter(([, value]) => value !== ''))
}
