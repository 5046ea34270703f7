import { onPage } from '#islands/stores/page.ts'
import { enableRows } from './row-list.ts'

onPage(() => {
  const ends = [...document.querySelectorAll<HTMLElement>('[data-rows]')].map(enableRows)
  return () => {
    for (const end of ends) end()
  }
})
