import { onPage } from '#islands/stores/page.ts'
import { enableRows } from './rows.ts'

onPage(() => {
  const ends = [...document.querySelectorAll<HTMLElement>('[data-rows]')].map(enableRows)
  return () => {
    for (const end of ends) end()
  }
})
