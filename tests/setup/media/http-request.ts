import http from 'node:http'

export interface HttpResponse {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
  json(): unknown
  /** Cookies set by the response, name to value; an empty value is a cleared one. */
  cookies: Record<string, string>
}

export interface HttpRequestOptions {
  method?: string
  headers?: Record<string, string>
  /** An object is sent as JSON, URLSearchParams as a form, anything else unchanged. */
  body?: unknown
  /** Sent as the sign-in cookie. */
  token?: string
}

/**
 * Sends a request to a server on the loopback under another host name: Node does not resolve `*.localhost`, and fetch
 * refuses to set the Host header. Redirects are not followed.
 */
export function sendRequest(
  port: number,
  host: string,
  path: string,
  { method, headers, body, token }: HttpRequestOptions = {},
): Promise<HttpResponse> {
  const { payload, type } = encode(body)
  const sent: Record<string, string> = {
    host: `${host}:${port}`,
    ...(type ? { 'content-type': type } : {}),
    ...(token ? { cookie: `token=${token}` } : {}),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1',
      port,
      path,
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: sent,
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString('utf8'))))
    })
    request.end(payload)
  })
}

function encode(body: unknown): { payload: string | Buffer | undefined; type: string | null } {
  if (body === undefined) return { payload: undefined, type: null }
  if (body instanceof URLSearchParams) return { payload: body.toString(), type: 'application/x-www-form-urlencoded' }
  if (typeof body === 'string' || Buffer.isBuffer(body)) return { payload: body, type: null }
  return { payload: JSON.stringify(body), type: 'application/json' }
}

function answerOf(response: http.IncomingMessage, body: string): HttpResponse {
  const pairs = (response.headers['set-cookie'] ?? []).map((line) => {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body,
    json: () => JSON.parse(body),
    cookies: Object.fromEntries(pairs),
  }
}
