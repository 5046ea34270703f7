import { onPage } from '#islands/stores/page.ts'
import { deviceStorage } from '#islands/stores/safe-storage.ts'

/** The browser's own choice of language lives in local storage; the account's choice replaces it. */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-language]')
  form?.addEventListener('submit', () => {
    const locale = new FormData(form).get('locale')
    if (typeof locale === 'string') deviceStorage.setItem('locale', locale)
  })
})
