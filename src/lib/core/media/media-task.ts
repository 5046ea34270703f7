import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type Encoder, forgetEncoder } from './encoder.ts'
import { sandboxCommand } from './sandbox.ts'

/** Reason of a failure. Only `crashed`, `stopped` and `disk_full` are retried. */
export type MediaFault =
  | 'empty'
  | 'damaged'
  | 'nothing_inside'
  | 'too_long'
  | 'too_heavy'
  | 'crashed'
  | 'stopped'
  | 'disk_full'

export class MediaError extends Error {
  readonly fault: MediaFault
  /** End of the error output, without local paths. */
  readonly stderrTail: string

  constructor(fault: MediaFault, stderrTail = '') {
    super(stderrTail ? `${fault}: ${stderrTail}` : fault)
    this.name = 'MediaError'
    this.fault = fault
    this.stderrTail = stderrTail
  }
}

export interface MediaTask {
  program: 'ffmpeg' | 'ffprobe'
  args: readonly string[]
  /** Working directory and HOME; no other environment is passed. */
  folder: string
  /** The process is killed after this time. */
  timeoutSeconds: number
  /** Limit of the address space in bytes; MAX_MEMORY_BYTES by default. */
  memoryBytes?: number
  signal: AbortSignal
  /** Called with the processed seconds of the file, for a run with `-progress pipe:1`. */
  onProgress?: (seconds: number) => void
}

/**
 * Limit of the address space in bytes. Encoding 1080p reserves about 1.5 GB of it, most of which is never used;
 * decoding 8K needs less.
 */
const MAX_MEMORY_BYTES = 4 * 1024 ** 3
const MAX_STDOUT_CHARS = 4 * 1024 ** 2
const MAX_STDERR_CHARS = 16_000

/**
 * Runs ffmpeg or ffprobe in a sandbox: low priority, limits of memory and time, no network, and killed with this
 * process, as far as the system supports it. Returns standard output and the end of standard error. Throws MediaError.
 */
export function runMediaTask(encoder: Encoder, task: MediaTask): Promise<{ stdout: string; stderr: string }> {
  if (task.signal.aborted) return Promise.reject(new MediaError('stopped'))
  const [program, args] = buildCommand(encoder, task.program, task.args, task.memoryBytes)
  const child = spawn(program, args, { cwd: task.folder, env: childEnvironment(task.folder), stdio: STDIO })
  return waitForExit(child, task)
}

const STDIO: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']

/** Starts ffmpeg in the same sandbox for live input on standard input. */
export function startStreamingFfmpeg(
  encoder: Encoder,
  args: readonly string[],
  folder: string,
): ChildProcessByStdio<Writable, null, Readable> {
  const [program, all] = buildCommand(encoder, 'ffmpeg', args)
  return spawn(program, all, { cwd: folder, env: childEnvironment(folder), stdio: ['pipe', 'ignore', 'pipe'] })
}

function buildCommand(
  encoder: Encoder,
  program: MediaTask['program'],
  args: readonly string[],
  memoryBytes = MAX_MEMORY_BYTES,
): [string, string[]] {
  const [first = '', ...rest] = [...sandboxCommand(encoder.sandbox, { memoryBytes }), encoder[program], ...args]
  return [first, rest]
}

function waitForExit(child: ChildProcessByStdio<null, Readable, Readable>, task: MediaTask) {
  return new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
    let stdoutText = ''
    let stderrText = ''
    let stopError: MediaError | undefined
    const kill = (fault: MediaFault) => {
      stopError ??= new MediaError(fault, cleanStderr(stderrText, task.folder))
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => kill('too_long'), task.timeoutSeconds * 1000)
    const stop = () => kill('stopped')
    task.signal.addEventListener('abort', stop, { once: true })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (task.onProgress) reportProgress(text, task.onProgress)
      else stdoutText += text
      if (stdoutText.length > MAX_STDOUT_CHARS) kill('damaged')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderrText = (stderrText + text).slice(-MAX_STDERR_CHARS)
    })
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      task.signal.removeEventListener('abort', stop)
      finish()
    }
    child.on('error', () => {
      forgetEncoder()
      settle(() => reject(new MediaError('stopped', 'ffmpeg does not start')))
    })
    child.on('close', (code, signal) =>
      settle(() => {
        if (stopError) reject(stopError)
        else if (code === 0 && !OUT_OF_MEMORY.test(stderrText)) resolve({ stdout: stdoutText, stderr: stderrText })
        else
          reject(
            new MediaError(
              classifyFault(stderrText, signal),
              cleanStderr(stderrText, task.folder) || `${signal ?? code}`,
            ),
          )
      }),
    )
  })
}

/**
 * The environment of a program in a sandbox: it must not see keys and passwords of this process. Windows needs the
 * environment of this process to start programs.
 */
export function childEnvironment(folder: string): NodeJS.ProcessEnv | undefined {
  if (process.platform === 'win32') return undefined
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  // One malloc arena: otherwise empty arenas use up the address space limit.
  return { PATH, HOME: folder, TMPDIR: folder, LC_ALL: 'C', MALLOC_ARENA_MAX: '2' }
}

function reportProgress(text: string, onProgress: (seconds: number) => void): void {
  const last = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1)
  if (last) onProgress(Number(last[1]) / 1e6)
}

function classifyFault(stderrText: string, signal: NodeJS.Signals | null): MediaFault {
  if (OUT_OF_MEMORY.test(stderrText)) return 'too_heavy'
  if (/No space left on device/.test(stderrText)) return 'disk_full'
  if (signal) return 'crashed'
  return BAD_INPUT.test(stderrText) ? 'damaged' : 'crashed'
}

// ffmpeg exits with 0 even when a filter fails to allocate memory.
const OUT_OF_MEMORY =
  /Cannot allocate memory|malloc of size|Out of memory|Picture size \d+x\d+ is invalid|exceeds specified max pixel/i
const BAD_INPUT =
  /Invalid data found|moov atom not found|not on whitelist|Invalid argument|End of file|could not find codec|does not contain any stream|matches no streams|Error while decoding|not found for input stream|Output file is empty|no packets/i

function cleanStderr(stderrText: string, folder: string): string {
  const lines = stderrText
    .replaceAll(folder, '')
    .replaceAll(/\/\S*\//g, '')
    .replaceAll(/ @ 0x[0-9a-f]+/g, '')
  return lines.trim().split('\n').slice(-3).join('\n').slice(-500)
}
