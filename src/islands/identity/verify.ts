import { isAwaitingVerification, startAwaitingVerification, stopAwaitingVerification } from './awaiting-verification.ts'

const POLL_INTERVAL_MS = 4000

/** Enhances /email-verify: submits a complete code, counts down to the next email, signs in when the link was opened elsewhere. */
const waiting = document.querySelector<HTMLElement>('[data-waiting]')
if (waiting) initWaiting(waiting)
else if (document.querySelector('[data-lost]') && isAwaitingVerification()) {
  // Confirmed or canceled in the meantime: the entry must not keep the browser on this page.
  stopAwaitingVerification()
  location.replace('/login')
}

for (const link of document.querySelectorAll('[data-clear-awaiting]'))
  link.addEventListener('click', stopAwaitingVerification)

const autoSubmitForm = document.querySelector<HTMLFormElement>('[data-submit-at-once]')
if (autoSubmitForm) {
  stopAwaitingVerification()
  autoSubmitForm.requestSubmit()
}

function initWaiting(box: HTMLElement): void {
  const { expireDate = '', resendDate = '', pendingToken = '', resendIn = '' } = box.dataset
  startAwaitingVerification(expireDate)
  countDown(box.querySelector('[data-resend]'), new Date(resendDate).getTime(), resendIn)
  submitCompleteCode(box.querySelector('[data-code]'))
  setInterval(() => void checkVerification(pendingToken), POLL_INTERVAL_MS)
}

function countDown(button: HTMLButtonElement | null, until: number, template: string): void {
  if (!button) return
  const ready = button.textContent ?? ''
  const tick = () => {
    const seconds = Math.ceil((until - Date.now()) / 1000)
    button.disabled = seconds > 0
    button.textContent = seconds > 0 ? template.replace('#', String(seconds)) : ready
    if (seconds > 0) setTimeout(tick, 1000)
  }
  tick()
}

function submitCompleteCode(form: HTMLFormElement | null): void {
  const input = form?.querySelector<HTMLInputElement>('input[name=code]')
  if (!input) return
  let isSent = false
  const send = () => {
    if (isSent || !/^\d{6}$/.test(input.value.replace(/[\s-]/g, ''))) return
    isSent = true
    form?.requestSubmit()
  }
  input.addEventListener('input', send)
  // The code may have been entered before this script ran.
  if (input.getAttribute('aria-invalid') !== 'true') send()
}

async function checkVerification(pendingToken: string): Promise<void> {
  if (document.hidden) return
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ pendingToken })
  const response = await fetch('/v1/module/user/checkVerification', { method: 'POST', headers, body }).catch(() => null)
  if (!response?.ok || !(await response.json()).verified) return
  stopAwaitingVerification()
  location.assign('/email-verify')
}
