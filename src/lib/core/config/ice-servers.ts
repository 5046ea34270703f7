import { z } from 'zod'
import { parseJson } from '#lib/core/shared/text/json.ts'

/** A STUN or TURN server in the format of the browser (RTCIceServer). */
export interface IceServer {
  urls: string[]
  username?: string
  credential?: string
}

const Server = z.object({
  urls: z.union([z.string().transform((url) => [url]), z.array(z.string()).min(1)]),
  username: z.string().optional(),
  credential: z.string().optional(),
})
const ADDRESS =
  /^(stuns?|turns?):(?:([^:@]+):([^@]*)@)?((?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?)$/i

/**
 * Parses STUN and TURN servers: JSON in the format of the browser, or addresses separated by commas, with the username
 * and credential of a TURN server before an at sign. Throws an error that names the invalid part.
 */
export function iceServersOf(value: string): IceServer[] {
  const text = value.trim()
  const servers = text.startsWith('[')
    ? fromJson(text)
    : text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(fromAddress)
  const odd = servers.flatMap(({ urls }) => urls).find((url) => !ADDRESS.test(url) || url.includes('@'))
  if (odd !== undefined) throw new Error(`${odd} is no address like stun:host:3478`)
  return servers
}

function fromJson(text: string): IceServer[] {
  const parsed = z.array(Server).safeParse(parseJson(text))
  if (!parsed.success) throw new Error('expected [{"urls": "turn:host:3478", "username": "…", "credential": "…"}]')
  return parsed.data
}

function fromAddress(address: string): IceServer {
  const [, scheme, username, credential, rest] = ADDRESS.exec(address) ?? []
  if (!scheme) throw new Error(`${address} is no address like stun:host:3478 or turn:user:password@host:3478`)
  const urls = [`${scheme}:${rest}`]
  if (username === undefined) return { urls }
  return { urls, username: decodeURIComponent(username), credential: decodeURIComponent(credential ?? '') }
}
