import { onPage } from '#islands/stores/page.ts'

/*
 * Turns push messages on and off in this browser. The permission is requested only when the person presses the button.
 * Without support of the browser, only a note is shown.
 */
const WORKER = '/push-worker.js'
const SCOPE = '/notifications/'

onPage(() => {
  const section = document.querySelector<HTMLElement>('[data-push]')
  if (section) void setUp(section)
  return undefined
})

async function setUp(section: HTMLElement): Promise<void> {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSupported) return show(section, 'unsupported')
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  const subscription = await registration?.pushManager.getSubscription()
  showState(section, Boolean(subscription))
  for (const button of section.querySelectorAll<HTMLButtonElement>('button')) {
    button.addEventListener('click', () => void change(section, button))
  }
}

async function change(section: HTMLElement, button: HTMLButtonElement): Promise<void> {
  button.disabled = true
  try {
    if (button.dataset.push === 'on') await turnOn(section)
    else await turnOff(section)
  } catch {
    show(section, 'failed')
  } finally {
    button.disabled = false
  }
}

async function turnOn(section: HTMLElement): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return show(section, 'denied')
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE })
  const registration = await activeRegistration()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: section.dataset.key ?? '',
  })
  const { endpoint, keys } = subscription.toJSON()
  if (!(await post('subscribePush', { endpoint, keys }))) {
    await subscription.unsubscribe()
    return show(section, 'failed')
  }
  location.reload()
}

async function turnOff(section: HTMLElement): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  const subscription = await registration?.pushManager.getSubscription()
  // Removed on the server first: a browser that fails to unsubscribe must not receive anything.
  if (subscription && !(await post('unsubscribePush', { endpoint: subscription.endpoint })))
    return show(section, 'failed')
  await subscription?.unsubscribe()
  showState(section, false)
}

/** `subscribe` needs an active worker; `ready` waits for that of this page, which has another scope. */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  if (!registration) throw new Error('the worker is not registered')
  const worker = registration.installing ?? registration.waiting
  if (!registration.active && worker) {
    await new Promise<void>((resolve) => {
      worker.addEventListener('statechange', () => {
        if (worker.state === 'activated') resolve()
      })
    })
  }
  return registration
}

async function post(procedure: string, body: object): Promise<boolean> {
  const response = await fetch(`/v1/module/notification/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  return response.ok
}

function showState(section: HTMLElement, isOn: boolean): void {
  show(section, Notification.permission === 'denied' ? 'denied' : isOn ? 'on' : 'off')
}

/** Shows the parts of a state: `data-when` names the states of each. */
function show(section: HTMLElement, state: string): void {
  for (const part of section.querySelectorAll<HTMLElement>('[data-when]')) {
    part.hidden = part.dataset.when !== state
  }
}
