import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'

/** The public pages of a course and of a checkout. */
const SELLING_PATH = new RegExp(`^/(checkout|course)/${UUID_SOURCE}/?$`)

/**
 * The address of a button of an event. One that leads to a course or a checkout of the same host names the button, so that
 * the purchase is counted in the statistics of the event.
 */
export function buttonAddress(
  url: string,
  { host, sessionId, buttonId }: { host: string; sessionId: string; buttonId: string },
): string {
  const address = URL.parse(url)
  if (!address || address.host !== host || !SELLING_PATH.test(address.pathname)) return url
  address.searchParams.set('button', `${sessionId}.${buttonId}`)
  return address.href
}
