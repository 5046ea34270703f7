import { suggestEmail } from '#lib/user/rules.ts'
import { redirectToVerification } from './awaiting-verification.ts'

/** Makes the forms of the login layout better: the hash comes back after sign-in, slips in an e-mail are pointed out. */
redirectToVerification()

for (const form of document.querySelectorAll<HTMLFormElement>('[data-identity]')) {
  const back = form.querySelector<HTMLInputElement>('input[name=return]')
  form.addEventListener('submit', () => {
    if (back?.value && location.hash && !back.value.includes('#')) back.value += location.hash
  })
}

for (const input of document.querySelectorAll<HTMLInputElement>('[data-email-hint]')) {
  const words = input.dataset.emailHint ?? ''
  const offer = document.createElement('button')
  offer.type = 'button'
  offer.className = 'still-link min-h-6 cursor-pointer text-start text-sm'
  const live = document.createElement('div')
  live.setAttribute('aria-live', 'polite')
  input.after(live)
  input.addEventListener('change', () => {
    const hint = suggestEmail(input.value.trim())
    offer.textContent = hint ? words.replace('@', hint) : ''
    live.replaceChildren(...(hint ? [offer] : []))
    offer.onclick = () => {
      input.value = hint ?? input.value
      live.replaceChildren()
      input.focus()
    }
  })
}
