import http from 'node:http'

/** A response as received by the client: raw header pairs, and the body in its content encoding. */
export interface Captured {
  status: number
  headers: string[]
  body: string
}

export interface CapturedRequest {
  port: number
  path: string
  headers: Record<string, string>
}

/** Sends one request and returns all bytes of the response. The body is base64. */
export function capture({ port, path, headers }: CapturedRequest): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('base64')
        resolve({ status: response.statusCode ?? 0, headers: ownHeaders(response.rawHeaders), body })
      })
    })
    request.on('error', reject)
  })
}

// Headers that Node adds itself.
const TRANSFER = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

function ownHeaders(raw: string[]): string[] {
  const pairs: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!TRANSFER.has(name.toLowerCase())) pairs.push(name, value)
  }
  return pairs
}
