import { MINUTE_MS } from '#lib/core/shared/time.ts'

interface Upload {
  method: 'PUT' | 'POST'
  url: string
  body: Blob | FormData
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  onProgress: (event: { loaded: number; total: number; lengthComputable: boolean }) => void
  /** Timeout in ms for the response after the complete body has been sent. */
  responseTimeoutMs?: number
}

/** A connection without progress for this time counts as lost. */
const PROGRESS_TIMEOUT_MS = MINUTE_MS

/**
 * Sends a request and reports the sent share of its body, which `fetch` does not support. The status is 0 without a
 * response.
 */
export function sendRequest(upload: Upload): Promise<XMLHttpRequest> {
  const { method, url, body, headers = {}, signal, onProgress, responseTimeoutMs = PROGRESS_TIMEOUT_MS } = upload
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let timer = setTimeout(abort, PROGRESS_TIMEOUT_MS)
    const restartTimer = (timeoutMs: number) => {
      clearTimeout(timer)
      timer = setTimeout(abort, timeoutMs)
    }
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => {
      restartTimer(PROGRESS_TIMEOUT_MS)
      onProgress(event)
    }
    request.upload.onload = () => restartTimer(responseTimeoutMs)
    request.onloadend = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      resolve(request)
    }
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    request.send(body)
  })
}
