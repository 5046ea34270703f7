import { atom, type ReadableAtom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

export interface SignedUrls {
  /** The latest view: its addresses are valid or about to be renewed. */
  $view: ReadableAtom<PlaybackView>
  /** The address with the latest base. Renews first when it has expired. */
  current(address: string): Promise<string>
  /** Requests a new view. False when the server has none for this viewer; throws when it cannot be reached. */
  renew(): Promise<boolean>
  stop(): void
}

const RENEW_BEFORE_MS = 5 * MINUTE_MS
const RETRY_MS = 30_000
const MAX_TIMEOUT_MS = 2 ** 31 - 1
const MEDIA_BASE = /^\/v1\/media\/[^/]+\/[^/]+\/[^/]+\//

/**
 * Renews the signed addresses of media before they expire. `createdAtMs`: creation time of the view, in milliseconds
 * since 1970.
 */
export function createSignedUrls(initialView: PlaybackView, createdAtMs = Date.now()): SignedUrls {
  const $view = atom(initialView)
  let expiresAtMs = createdAtMs + initialView.expiresIn * 1000
  let timer: ReturnType<typeof setTimeout> | undefined
  let renewal: Promise<boolean> | null = null

  const scheduleRenewal = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(
      () => void renew().catch(() => scheduleRenewal(RETRY_MS)),
      Math.min(Math.max(delayMs, 1000), MAX_TIMEOUT_MS),
    )
  }
  const scheduleNext = () =>
    scheduleRenewal(expiresAtMs - Date.now() - Math.min(RENEW_BEFORE_MS, ($view.get().expiresIn * 1000) / 4))

  const requestView = async (): Promise<boolean> => {
    const requestedAtMs = Date.now()
    try {
      const view = await api.storage.renewPlayback({ base: $view.get().base }, { context: { isQuiet: true } })
      expiresAtMs = requestedAtMs + view.expiresIn * 1000
      $view.set(view)
      scheduleNext()
      return true
    } catch (error) {
      const { status } = CallError.from(error)
      if (status === 404 || status === 401) return false
      throw error
    }
  }
  const renew = () => {
    renewal ??= requestView().finally(() => {
      renewal = null
    })
    return renewal
  }
  const current = async (address: string) => {
    if (Date.now() >= expiresAtMs) await renew()
    return rebase(address, $view.get().base)
  }

  scheduleNext()
  return { $view, current, renew, stop: () => clearTimeout(timer) }
}

/** The same URL with another base; any other URL is not changed. */
function rebase(address: string, base: string): string {
  const absolute = new URL(address, location.href)
  if (absolute.origin !== location.origin) return address
  const path = absolute.pathname.replace(MEDIA_BASE, () => base)
  return `${absolute.origin}${path}${absolute.search}`
}
