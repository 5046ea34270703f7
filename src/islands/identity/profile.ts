import { onPage } from '#islands/stores/page.ts'
import { deviceStorage } from '#islands/stores/safe-storage.ts'

/** The language in local storage is replaced by the account's new choice. */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-language]')
  form?.addEventListener('submit', () => {
    const locale = new FormData(form).get('locale')
    if (typeof locale === 'string') deviceStorage.setItem('locale', locale)
  })
})
