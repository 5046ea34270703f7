import type { IncomingMessage } from 'node:http'

/** The most bytes of a request body, by the first matching prefix of its path. */
const BODY_LIMITS: readonly (readonly [string, number])[] = [
  // An image of 10 MB and its form: the lesson editor, and the cover on the course page.
  ['/v1/file', 11_534_336],
  ['/course/edit/', 11_534_336],
  // A table of students.
  ['/students', 11_534_336],
  ['/', 1_048_576],
]

/**
 * Limits the size of a request body. A declared length is compared before a byte is read; a streamed body is counted as
 * the parser delivers it. Returns false when the request was refused; `refuse` is called when the limit is exceeded.
 */
export function limitBodySize(request: IncomingMessage, path: string, refuse: () => void): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const limit = BODY_LIMITS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 0
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    refuse()
    // Read and discarded: a client that is still sending may miss a response that is followed by a closed connection.
    request.resume()
    return false
  }
  if (request.headers['transfer-encoding'] === undefined) return true
  const push = request.push.bind(request)
  let receivedBytes = 0
  request.push = (chunk, encoding) => {
    receivedBytes += chunk?.length ?? 0
    if (receivedBytes <= limit) return push(chunk, encoding)
    refuse()
    return false
  }
  return true
}

/**
 * Ends the connection of a request whose body takes longer than `timeoutMs`. `onTimeout` is called before. Returns a
 * function that restarts the timer with another timeout.
 */
export function limitBodyTime(
  request: IncomingMessage,
  timeoutMs: number,
  onTimeout: () => void,
): (timeoutMs: number) => void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (length === '0' && coding === undefined) return () => {}
  const startTimer = (ms: number) => setTimeout(end, ms).unref()
  let timer = startTimer(timeoutMs)
  const stop = () => clearTimeout(timer)
  request.on('end', stop)
  request.on('close', stop)
  function end() {
    onTimeout()
    request.socket.destroySoon()
  }
  return (ms) => {
    stop()
    timer = startTimer(ms)
  }
}
