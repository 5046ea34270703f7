import { suggestEmail } from '#lib/user/rules.ts'
import { redirectToVerification } from './awaiting-verification.ts'

/**
 * Enhances the forms of the login layout: keeps the hash when signing in and suggests corrections of email addresses.
 */
redirectToVerification()

for (const form of document.querySelectorAll<HTMLFormElement>('[data-identity]')) {
  const returnInput = form.querySelector<HTMLInputElement>('input[name=return]')
  form.addEventListener('submit', () => {
    if (returnInput?.value && location.hash && !returnInput.value.includes('#')) returnInput.value += location.hash
  })
}

for (const input of document.querySelectorAll<HTMLInputElement>('[data-email-hint]')) {
  const template = input.dataset.emailHint ?? ''
  const suggestion = document.createElement('button')
  suggestion.type = 'button'
  suggestion.className = 'still-link min-h-6 cursor-pointer text-start text-sm'
  const live = document.createElement('div')
  live.setAttribute('aria-live', 'polite')
  // While it is empty it is no item of the column, whose gap would move the form.
  live.className = 'empty:absolute'
  input.after(live)
  input.addEventListener('change', () => {
    const hint = suggestEmail(input.value.trim())
    suggestion.textContent = hint ? template.replace('@', hint) : ''
    live.replaceChildren(...(hint ? [suggestion] : []))
    suggestion.onclick = () => {
      input.value = hint ?? input.value
      live.replaceChildren()
      input.focus()
    }
  })
}
