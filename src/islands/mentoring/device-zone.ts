import { deviceZone, isSameClock } from '#islands/field/zone-order.ts'
import { onPage } from '#islands/stores/page.ts'

/* Says on a page with times that the clock of the device differs from the time zone of the profile. */
onPage(() => {
  const notice = document.querySelector<HTMLElement>('[data-device-zone]')
  if (notice) notice.hidden = isSameClock(deviceZone(), notice.dataset.deviceZone ?? '', new Date())
  return undefined
})
