import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** Seconds after which a refused client should try again. */
export const RETRY_AFTER_SECONDS = 2

/** Requests for anything but pages (calls, forms) are refused only at this multiple of the limit. */
const PRIORITY_FACTOR = 8
const SAMPLE_MS = 100
/** Share of its time that a saturated event loop works. */
const SATURATED = 0.9

export interface Admission {
  /** Counts the request until its response ends; false when it has to be refused instead. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** An event stream stays open and costs nothing: it is no longer counted. */
  release(response: ServerResponse): void
}

/**
 * Limits the requests that a process works on at the same time, so that under overload those that it has admitted are
 * answered quickly and the others are refused before they cost anything. Many requests that only wait, e.g. for a slow
 * service, are no overload: requests are refused only while the event loop is saturated.
 * @param limit requests at the same time
 * @param isSaturated whether the event loop has no time left
 */
export function createAdmission(limit: number, isSaturated = createLoopObserver()): Admission {
  const running = new Set<ServerResponse>()
  return {
    admit(request, response) {
      const highest = isPageRequest(request) ? limit : limit * PRIORITY_FACTOR
      if (running.size >= highest && isSaturated()) return false
      running.add(response)
      response.on('close', () => running.delete(response))
      return true
    },
    release(response) {
      running.delete(response)
    },
  }
}

/** Whether a browser shows the response as a page. What somebody submits has priority over pages. */
export function isPageRequest({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept?.includes('text/html') ?? false)
}

/** A page that says why, and loads the wanted one by itself. */
export function createRetryPage(message: string, language: string): string {
  return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}"><title>${message}</title></head><body><main><h1>${message}</h1></main></body></html>`
}

function createLoopObserver(): () => boolean {
  let before = performance.eventLoopUtilization()
  let sampledAt = performance.now()
  let saturated = false
  return () => {
    const now = performance.now()
    if (now - sampledAt < SAMPLE_MS) return saturated
    const current = performance.eventLoopUtilization()
    saturated = performance.eventLoopUtilization(current, before).utilization > SATURATED
    before = current
    sampledAt = now
    return saturated
  }
}
