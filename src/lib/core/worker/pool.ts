import { Refusal } from '../http/refusal.ts'
import { log } from '../log.ts'
import { MINUTE_MS } from '../shared/time.ts'
import { tooComplex, type WorkerReply } from './protocol.ts'
import { WorkerEnded, WorkerProcess } from './worker-process.ts'

/*
 * Worker processes for parsers of uploaded content. When a parser exceeds its limits of time or memory, its process is
 * ended and only this input is refused. Processes are started on demand and end when they are idle.
 */

/**
 * `request`: a user waits for the response. `job`: takes minutes, in separate processes so that no request waits for
 * it.
 */
type Lane = 'request' | 'job'

export interface TaskDefinition {
  /** Path of the task's module from the root of the project: it is loaded by the worker process, not by the caller. */
  file: string
  /** Name of its exported function: input and result are copied by structured cloning; it may throw a Refusal. */
  name: string
  lane: Lane
  /** Running time in milliseconds after which the process is ended. Waiting for a free process does not count. */
  limitMs: number
  /** Input field that a refusal names; `file` by default. */
  field?: string
}

interface Limits {
  processes: number
  /** Maximum number of calls that wait for a process. */
  queue: number
  waitMs: number
  heapMegabytes: number
}

const LANES: Record<Lane, Limits> = {
  request: { processes: 2, queue: 32, waitMs: 10_000, heapMegabytes: 192 },
  job: { processes: 2, queue: 64, waitMs: 30 * MINUTE_MS, heapMegabytes: 768 },
}
const IDLE_MS = 20_000
const RETRY_SECONDS = 5

/**
 * A function that runs in a worker process within the limits of the definition. Refuses as the task does, with
 * unprocessable (parse_too_complex) above the limits of time or memory, and with too_many when all processes of the
 * lane are busy and the queue is full. Rejects with the signal's reason when it is aborted.
 */
export function workerTask<Run extends (input: never) => unknown>(definition: TaskDefinition) {
  return async (input: Parameters<Run>[0], signal?: AbortSignal): Promise<Awaited<ReturnType<Run>>> => {
    const reply = await call(definition, input, signal)
    if ('refusal' in reply) throw new Refusal(reply.refusal.code, reply.refusal.details)
    if ('defect' in reply) throw new Error(`The task ${definition.name} failed: ${reply.defect}`)
    return reply.value as Awaited<ReturnType<Run>>
  }
}

/** Ends all worker processes; running tasks are rejected. */
export function closeWorkers(): void {
  for (const pool of Object.values(pools)) pool.close()
}

async function call(definition: TaskDefinition, input: unknown, signal?: AbortSignal): Promise<WorkerReply> {
  const { file, name, lane, limitMs, field = 'file' } = definition
  const pool = pools[lane]
  const worker = await pool.take(field, signal)
  try {
    return await worker.run({ file, name, input, field }, limitMs, signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof WorkerEnded) || (error.reason !== 'time' && error.reason !== 'memory')) throw error
    log.warn({ task: name, limit: error.reason }, 'A parser exceeded its limit and was ended')
    return { refusal: tooComplex(field) }
  } finally {
    pool.giveBack(worker)
  }
}

interface Waiting {
  give(worker: WorkerProcess): void
}

/** The processes of one lane, and the waiting calls in their order. */
class Pool {
  readonly #limits: Limits
  readonly #busy = new Set<WorkerProcess>()
  readonly #idle = new Map<WorkerProcess, NodeJS.Timeout>()
  readonly #waiting = new Set<Waiting>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  async take(field: string, signal?: AbortSignal): Promise<WorkerProcess> {
    signal?.throwIfAborted()
    const worker = this.#free()
    if (worker) return worker
    if (this.#waiting.size >= this.#limits.queue) throw busy(field)
    return this.#wait(field, signal)
  }

  giveBack(worker: WorkerProcess): void {
    this.#busy.delete(worker)
    if (worker.alive) this.#rest(worker)
    const [next] = this.#waiting
    const free = next && this.#free()
    if (free) next.give(free)
  }

  close(): void {
    for (const timer of this.#idle.values()) clearTimeout(timer)
    for (const worker of [...this.#busy, ...this.#idle.keys()]) worker.kill()
    this.#idle.clear()
  }

  #free(): WorkerProcess | null {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(worker)
      if (worker.alive) return this.#occupy(worker)
    }
    if (this.#busy.size >= this.#limits.processes) return null
    return this.#occupy(new WorkerProcess(this.#limits.heapMegabytes))
  }

  #occupy(worker: WorkerProcess): WorkerProcess {
    this.#busy.add(worker)
    return worker
  }

  #rest(worker: WorkerProcess): void {
    worker.rest()
    const end = () => {
      this.#idle.delete(worker)
      worker.kill()
    }
    this.#idle.set(worker, setTimeout(end, IDLE_MS).unref())
  }

  #wait(field: string, signal?: AbortSignal): Promise<WorkerProcess> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        this.#waiting.delete(waiting)
        action()
      }
      const waiting: Waiting = { give: (worker) => settle(() => resolve(worker)) }
      const abort = () => settle(() => reject(signal?.reason))
      const timer = setTimeout(() => settle(() => reject(busy(field))), this.#limits.waitMs)
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(waiting)
    })
  }
}

const pools: Record<Lane, Pool> = { request: new Pool(LANES.request), job: new Pool(LANES.job) }
process.once('exit', closeWorkers)

const busy = (field: string): Refusal =>
  new Refusal('too_many', { fields: { [field]: ['parse_busy'] }, retryAfterSeconds: RETRY_SECONDS })
