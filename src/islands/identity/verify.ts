import { isAwaitingVerification, startAwaitingVerification, stopAwaitingVerification } from './awaiting-verification.ts'

const POLL_MILLISECONDS = 4000

/** Makes /email-verify better: the code sends itself, the wait is counted, a link opened elsewhere signs in here too. */
const waiting = document.querySelector<HTMLElement>('[data-waiting]')
if (waiting) wait(waiting)
else if (document.querySelector('[data-lost]') && isAwaitingVerification()) {
  // Confirmed or given up in the meantime: the entry must not hold the browser here.
  stopAwaitingVerification()
  location.replace('/login')
}

for (const one of document.querySelectorAll('[data-clear-awaiting]'))
  one.addEventListener('click', stopAwaitingVerification)

const atOnce = document.querySelector<HTMLFormElement>('[data-submit-at-once]')
if (atOnce) {
  stopAwaitingVerification()
  atOnce.requestSubmit()
}

function wait(box: HTMLElement): void {
  const { expireDate = '', resendDate = '', ticket = '', resendIn = '' } = box.dataset
  startAwaitingVerification(expireDate)
  countDown(box.querySelector('[data-resend]'), new Date(resendDate).getTime(), resendIn)
  sendItself(box.querySelector('[data-code]'))
  setInterval(() => void look(ticket), POLL_MILLISECONDS)
}

function countDown(button: HTMLButtonElement | null, until: number, words: string): void {
  if (!button) return
  const ready = button.textContent ?? ''
  const tick = () => {
    const seconds = Math.ceil((until - Date.now()) / 1000)
    button.disabled = seconds > 0
    button.textContent = seconds > 0 ? words.replace('#', String(seconds)) : ready
    if (seconds > 0) setTimeout(tick, 1000)
  }
  tick()
}

function sendItself(form: HTMLFormElement | null): void {
  const input = form?.querySelector<HTMLInputElement>('input[name=code]')
  if (!input) return
  let sent = false
  const send = () => {
    if (sent || !/^\d{6}$/.test(input.value.replace(/[\s-]/g, ''))) return
    sent = true
    form?.requestSubmit()
  }
  input.addEventListener('input', send)
  // Typed or filled in before this was here.
  if (input.getAttribute('aria-invalid') !== 'true') send()
}

async function look(ticket: string): Promise<void> {
  if (document.hidden) return
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ticket })
  const response = await fetch('/v1/module/user/checkVerification', { method: 'POST', headers, body }).catch(() => null)
  if (!response?.ok || !(await response.json()).verified) return
  stopAwaitingVerification()
  location.assign('/email-verify')
}
