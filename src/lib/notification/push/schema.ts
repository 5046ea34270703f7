import { z } from 'zod'

/** The push services of browsers. Messages are posted to no other host, because browsers name the address. */
const PUSH_HOSTS =
  /^(fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com|[a-z0-9-]{1,40}\.notify\.windows\.com)$/

function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username } = new URL(endpoint)
  return protocol === 'https:' && port === '' && username === '' && PUSH_HOSTS.test(hostname)
}

const base64url = (bytes: number) =>
  z
    .string()
    .max(200)
    .regex(/^[\w-]+=*$/)
    .refine((text) => byteLength(text) === bytes)

const byteLength = (text: string): number => Math.floor((text.replaceAll('=', '').length * 3) / 4)

/** A subscription as `PushSubscription.toJSON` returns it. */
export const SubscribePush = z.object({
  endpoint: z.string().max(1000).refine(isPushService),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
})
export type SubscribePush = z.output<typeof SubscribePush>

export const UnsubscribePush = z.object({ endpoint: z.string().max(1000) })
export type UnsubscribePush = z.output<typeof UnsubscribePush>
