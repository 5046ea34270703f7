import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { createToken } from './token.ts'

const PURPOSE = 'known device'
/** Accounts that one browser may be known for, the one that signed in last first. */
const MOST = 3
/** Days; browsers keep no cookie longer (RFC 6265bis). */
const LIFETIME = 400

interface Device {
  userId: string
  /** Random; the attempts of this device are counted under it. */
  id: string
  sealed: string
}

/** The cookie of a browser in which this person has just signed in, or proved their mailbox. */
export function addKnownDevice(cookie: string | null | undefined, userId: string, now = Date.now()): string {
  const devices = readDevices(cookie, now)
  const id = devices.find((device) => device.userId === userId)?.id ?? createToken().slice(0, 16)
  const own = encrypt(PURPOSE, `${userId} ${id} ${dayOf(now)}`)
  const others = devices.filter((device) => device.userId !== userId).map(({ sealed }) => sealed)
  return [own, ...others].slice(0, MOST).join('.')
}

/** The id of the device if this person has signed in there before; it proves nothing else. */
export function findKnownDevice(cookie: string | null | undefined, userId: string, now = Date.now()): string | null {
  return readDevices(cookie, now).find((device) => device.userId === userId)?.id ?? null
}

function readDevices(cookie: string | null | undefined, now: number): Device[] {
  const parts = (cookie ?? '').split('.').slice(0, MOST)
  return parts.flatMap((sealed) => {
    const [userId, id, day] = decrypt(PURPOSE, sealed)?.split(' ') ?? []
    const isValid = userId && id && dayOf(now) - Number(day) <= LIFETIME
    return isValid ? [{ userId, id, sealed }] : []
  })
}

const dayOf = (now: number): number => Math.floor(now / 86_400_000)
