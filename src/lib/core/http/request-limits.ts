import type { IncomingMessage } from 'node:http'

/** Bytes a request body may have, by the longest matching beginning of its path. */
const BODY_LIMITS: readonly (readonly [string, number])[] = [
  // A picture of 10 MB and its form: the lesson editor, and the cover on the course page.
  ['/v1/file', 11_534_336],
  ['/course/edit/', 11_534_336],
  ['/', 1_048_576],
]

/**
 * Whether the body of a request may be read. A declared length is compared before a byte is read; a streamed body is
 * counted as the parser hands it over, and refused when it passes the limit of its path.
 */
export function withinLimit(request: IncomingMessage, path: string, refuse: () => void): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const limit = BODY_LIMITS.find(([start]) => path.startsWith(start))?.[1] ?? 0
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    refuse()
    // Read and dropped, because a client that is still sending may miss an answer followed by a closed connection.
    request.resume()
    return false
  }
  if (request.headers['transfer-encoding'] === undefined) return true
  const push = request.push.bind(request)
  let size = 0
  request.push = (chunk, encoding) => {
    size += chunk?.length ?? 0
    if (size <= limit) return push(chunk, encoding)
    refuse()
    return false
  }
  return true
}

/** Ends the connection of a body that takes longer than `patience` ms. Returns the function that allows it more time. */
export function mindSlowness(request: IncomingMessage, patience: number, late: () => void): (ms: number) => void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (length === '0' && coding === undefined) return () => {}
  const begin = (ms: number) => setTimeout(end, ms).unref()
  let timer = begin(patience)
  const stop = () => clearTimeout(timer)
  request.on('end', stop)
  request.on('close', stop)
  function end() {
    late()
    request.socket.destroySoon()
  }
  return (ms) => {
    stop()
    timer = begin(ms)
  }
}
