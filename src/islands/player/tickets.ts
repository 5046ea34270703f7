import { atom, type ReadableAtom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

export interface Tickets {
  /** The newest view: all its addresses are good, or about to be renewed. */
  $view: ReadableAtom<PlaybackView>
  /** An address of any view so far under the newest base. Renews first when that has run out. */
  current(address: string): Promise<string>
  /** Asks for a new view. False when the school says that there is none for this viewer; throws when it cannot be asked. */
  renew(): Promise<boolean>
  stop(): void
}

const BEFORE_MS = 5 * 60_000
const AGAIN_MS = 30_000
const LONGEST_MS = 2 ** 31 - 1
const BASE = /^\/v1\/media\/[^/]+\/[^/]+\/[^/]+\//

/** Keeps the signed addresses of one recording fresh. `since`: when its view was made, in milliseconds since 1970. */
export function keepTickets(first: PlaybackView, since = Date.now()): Tickets {
  const $view = atom(first)
  let expires = since + first.expiresIn * 1000
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: Promise<boolean> | null = null

  const plan = (wait: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void renew().catch(() => plan(AGAIN_MS)), Math.min(Math.max(wait, 1000), LONGEST_MS))
  }
  const planned = () => plan(expires - Date.now() - Math.min(BEFORE_MS, ($view.get().expiresIn * 1000) / 4))

  const ask = async (): Promise<boolean> => {
    const asked = Date.now()
    try {
      const view = await api.storage.renewPlayback({ base: $view.get().base }, { context: { quiet: true } })
      expires = asked + view.expiresIn * 1000
      $view.set(view)
      planned()
      return true
    } catch (error) {
      const { status } = CallError.from(error)
      if (status === 404 || status === 401) return false
      throw error
    }
  }
  const renew = () => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
  const current = async (address: string) => {
    if (Date.now() >= expires) await renew()
    return rebase(address, $view.get().base)
  }

  planned()
  return { $view, current, renew, stop: () => clearTimeout(timer) }
}

/** The same address under another base; any other address as it is. */
export function rebase(address: string, base: string): string {
  const absolute = new URL(address, location.href)
  if (absolute.origin !== location.origin) return address
  const path = absolute.pathname.replace(BASE, () => base)
  return `${absolute.origin}${path}${absolute.search}`
}
