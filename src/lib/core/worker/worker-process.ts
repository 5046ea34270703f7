import { type ChildProcess, fork } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { environmentOf } from '../config/config.ts'
import type { WorkerCall, WorkerReply } from './protocol.ts'

const ENTRY = path.resolve('src/lib/core/worker/entry.ts')
// A parser of uploaded content needs neither the database nor the keys.
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_ENV', 'LOG_LEVEL', 'DATA_DIR', 'BASE_DOMAIN']
const NICENESS = 10
const LAST_LINES = 2000

/** The reason why a task did not return: the limit that it exceeded, the caller's signal, or the end of its process. */
export class WorkerEnded extends Error {
  readonly reason: 'time' | 'memory' | 'aborted' | 'crashed'

  constructor(reason: WorkerEnded['reason'], lastLines = '') {
    super(lastLines ? `A worker process ended (${reason}): ${lastLines}` : `A worker process ended (${reason})`)
    this.reason = reason
  }
}

/** One child process that runs one task at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess
  #lastLines = ''
  #ended = false

  constructor(heapMegabytes: number) {
    this.#child = fork(ENTRY, [], {
      env: environmentOf(...ENVIRONMENT),
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastLines = (this.#lastLines + text).slice(-LAST_LINES)
    })
    this.#child.once('exit', () => {
      this.#ended = true
    })
    lowerPriority(this.#child)
  }

  get alive(): boolean {
    return !this.#ended && this.#child.connected
  }

  /** Runs a task for `limitMs` at most. Rejects with WorkerEnded when the process has ended. */
  run(call: WorkerCall, limitMs: number, signal?: AbortSignal): Promise<WorkerReply> {
    return new Promise<WorkerReply>((resolve, reject) => {
      const child = this.#child
      let killedFor: 'time' | 'aborted' | null = null
      const kill = (cause: 'time' | 'aborted') => {
        killedFor ??= cause
        child.kill('SIGKILL')
      }
      const abort = () => kill('aborted')
      const timer = setTimeout(() => kill('time'), limitMs)
      const settle = (action: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        child.off('message', onReply)
        child.off('exit', onExit)
        child.off('error', onError)
        action()
      }
      const onReply = (reply: WorkerReply) => settle(() => resolve(reply))
      const onExit = (code: number | null, by: NodeJS.Signals | null) =>
        settle(() => reject(new WorkerEnded(killedFor ?? endReason(code, by), this.#lastLines)))
      const onError = (error: Error) => settle(() => reject(error))
      child.on('message', onReply)
      child.on('exit', onExit)
      child.on('error', onError)
      signal?.addEventListener('abort', abort, { once: true })
      child.ref()
      child.channel?.ref()
      child.send(call, (error) => error && !this.#ended && settle(() => reject(error)))
    })
  }

  /** Without a task the process does not keep its parent running. */
  rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
    const stderr = this.#child.stderr
    if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

/** V8 aborts a process whose heap is full; the kernel kills one that uses up the memory of the machine. */
function endReason(code: number | null, signal: NodeJS.Signals | null): WorkerEnded['reason'] {
  const aborted = signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL' || code === 134
  return aborted ? 'memory' : 'crashed'
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) os.setPriority(pid, NICENESS)
  } catch {
    // Lowering the priority is not supported on every system; the task runs without it.
  }
}
