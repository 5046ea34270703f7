/** The browser's own choice of language lives in local storage; the account's choice replaces it. */
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

export {}
