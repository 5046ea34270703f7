import { loadWhenIdle, prepareReactRefresh } from '#islands/stores/load-when-idle.ts'
import { navigateTo, onPage } from '#islands/stores/page.ts'
import type { BrowserProps } from './browser/listing-query.ts'

/*
 * The list is plain HTML; the interactive one is mounted when the browser is idle. A changed filter submits the form.
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

/** The query of a form without empty fields. */
function toQuery(form: HTMLFormElement): URLSearchParams {
  const pairs = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  return new URLSearchParams(pairs.filter(([, value]) => value !== ''))
}
