import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** Seconds after which a refused client should try again. */
export const RETRY_AFTER_SECONDS = 2

/** Requests for anything but pages (calls, forms) are refused only at this multiple of the limit. */
const PRIORITY_FACTOR = 8
const SAMPLE_MS = 100
/** Utilisation of the event loop from which the process counts as saturated. */
const SATURATED = 0.9

export interface AdmissionControl {
  /** Counts the request until its response ends; false when it has to be refused instead. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Stops counting an event stream: it stays open and needs almost no processing time. */
  release(response: ServerResponse): void
}

/**
 * Limits the requests that a process handles concurrently: under overload, admitted requests are answered quickly and
 * the others are refused before any work is done. Many requests that only wait, e.g. for a slow service, are no
 * overload: requests are refused only while the event loop or the pool of database connections is saturated.
 * @param limit maximum number of concurrent requests
 * @param isSaturated whether one of them is saturated
 */
export function createAdmission(limit: number, isSaturated: () => boolean): AdmissionControl {
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

/** Whether a browser shows the response as a page. Submissions have priority over pages. */
export function isPageRequest({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept?.includes('text/html') ?? false)
}

/** A page that shows the reason and reloads the requested page automatically. */
export function createRetryPage(message: string, language: string): string {
  return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}"><title>${message}</title></head><body><main><h1>${message}</h1></main></body></html>`
}

/** Returns a check whether the event loop was saturated within the last sampling interval. */
export function createLoopObserver(): () => boolean {
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
