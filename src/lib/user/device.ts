import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { createToken } from './token.ts'

const PURPOSE = 'known device'
/** Maximum number of accounts in the device cookie of a browser, most recent sign-in first. */
const MAX_ACCOUNTS = 3
/** Maximum lifetime of a cookie in browsers (RFC 6265bis). */
const LIFETIME_DAYS = 400

interface Device {
  userId: string
  /** Random; attempts from this device are counted by it. */
  id: string
  encrypted: string
}

/** The device cookie of a browser in which this user has just signed in or confirmed the mailbox. */
export function addKnownDevice(cookie: string | null | undefined, userId: string, now = Date.now()): string {
  const devices = readDevices(cookie, now)
  const id = devices.find((device) => device.userId === userId)?.id ?? createToken().slice(0, 16)
  const entry = encrypt(PURPOSE, `${userId} ${id} ${utcDayNumber(now)}`)
  const others = devices.filter((device) => device.userId !== userId).map(({ encrypted }) => encrypted)
  return [entry, ...others].slice(0, MAX_ACCOUNTS).join('.')
}

/** The id of the device if this user has signed in with it before; it is no proof of identity. */
export function findKnownDevice(cookie: string | null | undefined, userId: string, now = Date.now()): string | null {
  return readDevices(cookie, now).find((device) => device.userId === userId)?.id ?? null
}

function readDevices(cookie: string | null | undefined, now: number): Device[] {
  const parts = (cookie ?? '').split('.').slice(0, MAX_ACCOUNTS)
  return parts.flatMap((encrypted) => {
    const [userId, id, day] = decrypt(PURPOSE, encrypted)?.split(' ') ?? []
    const isValid = userId && id && utcDayNumber(now) - Number(day) <= LIFETIME_DAYS
    return isValid ? [{ userId, id, encrypted }] : []
  })
}

const utcDayNumber = (now: number): number => Math.floor(now / DAY_MS)
