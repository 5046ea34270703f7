/*
 * The service worker for push messages. Its scope contains no page that needs it, and it does not handle requests: lessons
 * have a worker of their own.
 */
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const message = event.data?.json() ?? {}
  event.waitUntil(
    self.registration.showNotification(message.title ?? '', {
      body: message.body,
      // A repeated message replaces the earlier one.
      tag: message.tag,
      icon: '/favicon.svg',
      data: { url: message.url },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data ?? {}
  // Only pages of this host are opened.
  if (!url || new URL(url, self.location.origin).origin !== self.location.origin) return
  event.waitUntil(openPage(url))
})

async function openPage(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find((client) => client.url === url)
  return open ? open.focus() : self.clients.openWindow(url)
}
