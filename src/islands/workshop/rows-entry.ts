import { onPage } from '#islands/stores/page.ts'
import { offerRows } from './rows.ts'

onPage(() => {
  const ends = [...document.querySelectorAll<HTMLElement>('[data-rows]')].map(offerRows)
  return () => {
    for (const end of ends) end()
  }
})
