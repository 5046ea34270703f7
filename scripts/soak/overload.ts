import http from 'node:http'

/** An installation under load: pages to read, and writes whose names can be found afterwards. */
export interface OverloadTarget {
  port: number
  pages: readonly { path: string; headers: Record<string, string> }[]
  write(name: string): { path: string; headers: Record<string, string>; body: string }
}

export interface OverloadOptions {
  /** Seconds of normal load, in which capacity and normal response times are measured. */
  normalSeconds: number
  overloadSeconds: number
  /** Requests per second as a multiple of the capacity. */
  factor: number
}

interface Times {
  count: number
  p50: number
  p99: number
}

export interface OverloadResult {
  /** Requests per second of 16 connections, each of which waits for its response. */
  capacity: number
  normal: Times
  sentPerSecond: number
  served: Times
  refused: Times
  /** Refusals without Retry-After. */
  refusedWithoutTime: number
  /** Responses other than 200 and 503, and failed connections. */
  failed: number
  health: Times & { failed: number }
  /** Names of the writes that were answered with 200. */
  acknowledged: string[]
  /** Time from the end of the overload until pages are as fast as before; null when not within 30 s. */
  recoveryMs: number | null
}

interface Answer {
  status: number
  ms: number
  retryAfter: string | undefined
}

const CONNECTIONS = 16
/** One in this number of requests is a write. */
const WRITE_EVERY = 25
const HEALTH_INTERVAL_MS = 100
const RECOVERY_LIMIT_MS = 30_000
/** Number of consecutive pages with normal times that count as recovery. */
const RECOVERED_PAGES = 5

/** Sends more requests than an installation can serve, at a fixed rate regardless of the responses. */
export async function overload(target: OverloadTarget, options: OverloadOptions): Promise<OverloadResult> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const send = createSender(target, agent)
  await loadNormally(send.page, 2)
  const normal = await loadNormally(send.page, options.normalSeconds)
  const capacity = normal.length / options.normalSeconds
  const health = watchHealth(send.health)
  const overloaded = await loadAtRate(send, capacity * options.factor, options.overloadSeconds)
  const recoveryMs = await untilRecovered(send.page, 2 * timesOf(normal).p99)
  const pages = await Promise.all(overloaded.pages)
  const acknowledged = (await Promise.all(overloaded.writes)).filter((name) => name !== null)
  const healthAnswers = await health.stop()
  agent.destroy()
  const refusals = pages.filter(({ status }) => status === 503)
  return {
    capacity,
    normal: timesOf(normal),
    sentPerSecond: pages.length / options.overloadSeconds,
    served: timesOf(pages.filter(({ status }) => status === 200)),
    refused: timesOf(refusals),
    refusedWithoutTime: refusals.filter(({ retryAfter }) => !retryAfter).length,
    failed: pages.filter(({ status }) => status !== 200 && status !== 503).length,
    health: { ...timesOf(healthAnswers), failed: healthAnswers.filter(({ status }) => status !== 200).length },
    acknowledged,
    recoveryMs,
  }
}

function createSender({ port, pages, write }: OverloadTarget, agent: http.Agent) {
  let pageCount = 0
  const headers = pages[0]?.headers ?? {}
  return {
    page() {
      const page = pages[pageCount++ % pages.length]
      if (!page) throw new Error('no pages')
      return request({ port, agent, path: page.path, headers: { accept: 'text/html', ...page.headers } })
    },
    write(name: string) {
      const { path, headers: writeHeaders, body } = write(name)
      return request({ port, agent, path, method: 'POST', headers: writeHeaders }, body)
    },
    health: (path: string) => request({ port, agent, path, headers }),
  }
}

type Sender = ReturnType<typeof createSender>

async function loadNormally(sendPage: Sender['page'], seconds: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const until = performance.now() + seconds * 1000
  const connection = async () => {
    while (performance.now() < until) answers.push(await sendPage())
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  const wrong = answers.find(({ status }) => status !== 200)
  if (wrong) throw new Error(`a page answered ${wrong.status} under normal load`)
  return answers
}

async function loadAtRate(send: Sender, rate: number, seconds: number) {
  const pages: Promise<Answer>[] = []
  const writes: Promise<string | null>[] = []
  const run = `${process.pid}-${Date.now()}`
  const startedAt = performance.now()
  for (let sent = 0; ; ) {
    const elapsedMs = performance.now() - startedAt
    if (elapsedMs >= seconds * 1000) break
    for (; sent < (rate * elapsedMs) / 1000; sent++) {
      pages.push(send.page())
      if (sent % WRITE_EVERY !== 0) continue
      const name = `${run}-${sent}`
      writes.push(send.write(name).then(({ status }) => (status === 200 ? name : null)))
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return { pages, writes }
}

function watchHealth(sendHealth: Sender['health']) {
  const answers: Promise<Answer>[] = []
  const timer = setInterval(() => answers.push(sendHealth('/healthz'), sendHealth('/readyz')), HEALTH_INTERVAL_MS)
  return {
    stop() {
      clearInterval(timer)
      return Promise.all(answers)
    },
  }
}

async function untilRecovered(sendPage: Sender['page'], limitMs: number): Promise<number | null> {
  const startedAt = performance.now()
  for (let successes = 0; successes < RECOVERED_PAGES; ) {
    const { status, ms } = await sendPage()
    successes = status === 200 && ms <= limitMs ? successes + 1 : 0
    if (performance.now() - startedAt > RECOVERY_LIMIT_MS) return null
  }
  return performance.now() - startedAt
}

function request(options: http.RequestOptions, body?: string): Promise<Answer> {
  const startedAt = performance.now()
  const answerOf = (status: number, retryAfter?: string): Answer => ({
    status,
    ms: performance.now() - startedAt,
    retryAfter,
  })
  return new Promise((resolve) => {
    const sent = http.request({ host: '127.0.0.1', ...options }, (response) => {
      response.resume()
      response.on('end', () => resolve(answerOf(response.statusCode ?? 0, response.headers['retry-after'])))
      response.on('error', () => resolve(answerOf(0)))
    })
    sent.on('error', () => resolve(answerOf(0)))
    sent.end(body)
  })
}

function timesOf(answers: readonly Answer[]): Times {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) }
}
