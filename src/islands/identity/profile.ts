import { onPage } from '#islands/stores/page.ts'

/** The browser's own choice of language lives in local storage; the account's choice replaces it. */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-language]')
  form?.addEventListener('submit', () => {
    const locale = new FormData(form).get('locale')
    if (typeof locale !== 'string') return
    try {
      localStorage.setItem('locale', locale)
    } catch {
      // A browser without local storage goes by the cookie alone.
    }
  })
})
