import type { Config } from '../config/config.ts'
import { log } from '../log.ts'

export type Machine = NonNullable<Config['ai']>

/** Why the machine gave nothing; these are codes of the storage room's strings too. */
export type MachineFailure = 'key_refused' | 'model_refused' | 'busy' | 'unavailable' | 'timed_out' | 'nonsense'

/** The failure and whether another try may help. What the service answered is not in it: it may repeat a part of the key. */
export class MachineError extends Error {
  readonly failure: MachineFailure
  readonly lasting: boolean

  constructor(failure: MachineFailure, detail: string) {
    super(`${failure}: ${detail}`)
    this.name = 'MachineError'
    this.failure = failure
    this.lasting = failure === 'key_refused' || failure === 'model_refused'
  }
}

export interface Request {
  /** Below the base address, e.g. `/chat/completions`; without a body it is read by GET. */
  path: string
  /** Made anew for each try. */
  body?: () => FormData | string
  /** Milliseconds that one try may take. */
  patience: number
  signal?: AbortSignal | undefined
  /** In all; 3 when absent. */
  tries?: number
}

/** What a moment's patience may mend; the rest is for a later try, or for a person. */
const PASSING = new Set<MachineFailure>(['busy', 'unavailable'])
const LARGEST_ANSWER = 8 * 1024 * 1024
const LONGEST_WAIT = 60_000

/**
 * One request to a service with the usual `/audio/transcriptions` and `/chat/completions`, as parsed JSON of no known
 * shape. A busy or failing service is asked again, after as long as `Retry-After` says, a minute at most. Throws MachineError;
 * aborted by `signal`, its reason.
 */
export async function askMachine(machine: Machine, request: Request): Promise<unknown> {
  const { tries = 3, signal } = request
  for (let attempt = 1; ; attempt++) {
    const { value, failure, wait } = await attemptOnce(machine, request)
    if (!failure) return value
    signal?.throwIfAborted()
    log.warn({ path: request.path, attempt, failure: failure.message }, 'The language service gave no answer')
    if (!PASSING.has(failure.failure) || attempt >= tries) throw failure
    await pause(wait ?? 1000 * 4 ** (attempt - 1), signal)
  }
}

interface Attempt {
  value?: unknown
  failure?: MachineError
  /** Milliseconds to the next one, where the service said so. */
  wait?: number | undefined
}

async function attemptOnce({ baseUrl, key }: Machine, { path, body, patience, signal }: Request): Promise<Attempt> {
  const sent = body?.()
  const late = AbortSignal.timeout(patience)
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
        ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: sent }),
      // Elsewhere the key has no business.
      redirect: 'error',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    if (!answer.ok) return { failure: refused(answer.status), wait: waitOf(answer.headers.get('retry-after')) }
    return parsed(await readText(answer))
  } catch (error) {
    if (late.aborted) return { failure: new MachineError('timed_out', `no answer in ${patience / 1000} s`) }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const detail = cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection broke'
    return { failure: new MachineError('unavailable', detail) }
  }
}

function refused(status: number): MachineError {
  if (status === 401 || status === 403) return new MachineError('key_refused', String(status))
  if (status === 429) return new MachineError('busy', String(status))
  return new MachineError(status < 500 ? 'model_refused' : 'unavailable', String(status))
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function waitOf(header: string | null): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.min(LONGEST_WAIT, Math.max(0, wait))
}

async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > LARGEST_ANSWER) return ''
  }
  return text
}

function parsed(text: string): Attempt {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { failure: new MachineError('nonsense', 'the answer is no JSON') }
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
