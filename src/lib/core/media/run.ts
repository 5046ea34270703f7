import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type Encoder, forgetEncoder } from './encoder.ts'

/** Why making something of a file did not work. Only `crashed`, `stopped` and `disk_full` are worth another try. */
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
  /** The encoder's last words, without paths of this machine. */
  readonly lastWords: string

  constructor(fault: MediaFault, lastWords = '') {
    super(lastWords ? `${fault}: ${lastWords}` : fault)
    this.name = 'MediaError'
    this.fault = fault
    this.lastWords = lastWords
  }
}

export interface Errand {
  program: 'ffmpeg' | 'ffprobe'
  args: readonly string[]
  /** Its working directory and home; nothing else is told of the process around. */
  folder: string
  /** It is killed after so long. */
  seconds: number
  /** Bytes of address space at most; MEMORY when absent. */
  memory?: number
  signal: AbortSignal
  /** Seconds of the file done so far, for a run with `-progress pipe:1`. */
  onProgress?: (seconds: number) => void
}

/** Bytes of address space. Encoding 1080p takes about 1.5 GB of it, most never touched; 8K decodes in less than this. */
const MEMORY = 4 * 1024 ** 3
const MOST_OUT = 4 * 1024 ** 2
const MOST_SAID = 16_000

/**
 * Runs ffmpeg or ffprobe confined: low priority, limits of memory and time, no network and an end with this process
 * where the system has the means. Gives its standard output and the end of what it said. Throws MediaError.
 */
export function run(encoder: Encoder, errand: Errand): Promise<{ out: string; said: string }> {
  if (errand.signal.aborted) return Promise.reject(new MediaError('stopped'))
  const [program, args] = commandOf(encoder, errand.program, errand.args, errand.memory)
  const child = spawn(program, args, { cwd: errand.folder, env: surroundings(errand.folder), stdio: STDIO })
  return attend(child, errand)
}

const STDIO: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']

/** ffmpeg confined in the same way, fed by its standard input as long as something comes; what it says is at `stderr`. */
export function feed(
  encoder: Encoder,
  args: readonly string[],
  folder: string,
): ChildProcessByStdio<Writable, null, Readable> {
  const [program, all] = commandOf(encoder, 'ffmpeg', args)
  return spawn(program, all, { cwd: folder, env: surroundings(folder), stdio: ['pipe', 'ignore', 'pipe'] })
}

function commandOf(
  encoder: Encoder,
  program: Errand['program'],
  args: readonly string[],
  memory = MEMORY,
): [string, string[]] {
  const [first = '', ...rest] = [...confined(encoder, memory), encoder[program], ...args]
  return [first, rest]
}

function attend(child: ChildProcessByStdio<null, Readable, Readable>, errand: Errand) {
  return new Promise<{ out: string; said: string }>((resolve, reject) => {
    let out = ''
    let said = ''
    let ended: MediaError | undefined
    const end = (fault: MediaFault) => {
      ended ??= new MediaError(fault, wordsOf(said, errand.folder))
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => end('too_long'), errand.seconds * 1000)
    const stop = () => end('stopped')
    errand.signal.addEventListener('abort', stop, { once: true })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (errand.onProgress) tell(text, errand.onProgress)
      else out += text
      if (out.length > MOST_OUT) end('damaged')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MOST_SAID)
    })
    const settle = (act: () => void) => {
      clearTimeout(timer)
      errand.signal.removeEventListener('abort', stop)
      act()
    }
    child.on('error', () => {
      forgetEncoder()
      settle(() => reject(new MediaError('stopped', 'ffmpeg does not start')))
    })
    child.on('close', (code, signal) =>
      settle(() => {
        if (ended) reject(ended)
        else if (code === 0 && !TOO_MUCH.test(said)) resolve({ out, said })
        else reject(new MediaError(faultOf(said, signal), wordsOf(said, errand.folder) || `${signal ?? code}`))
      }),
    )
  })
}

function confined({ confines }: Encoder, memory: number): string[] {
  return [
    ...(confines.nice ? ['nice', '-n', '10'] : []),
    ...(confines.memory ? ['prlimit', `--as=${memory}`, '--core=0'] : []),
    ...(confines.network ?? []),
    // Behind unshare, which would clear it: an encoder must not outlive the process that waits for it.
    ...(confines.leash ? ['setpriv', '--pdeathsig', 'KILL'] : []),
  ]
}

// Not our own environment: keys and passwords are none of a decoder's business. Windows needs its own to start anything.
function surroundings(folder: string): NodeJS.ProcessEnv | undefined {
  if (process.platform === 'win32') return undefined
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  // One heap for all threads: else the limit of address space would be spent on empty ones.
  return { PATH, HOME: folder, TMPDIR: folder, LC_ALL: 'C', MALLOC_ARENA_MAX: '2' }
}

function tell(text: string, onProgress: (seconds: number) => void): void {
  const last = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1)
  if (last) onProgress(Number(last[1]) / 1e6)
}

function faultOf(said: string, signal: NodeJS.Signals | null): MediaFault {
  if (TOO_MUCH.test(said)) return 'too_heavy'
  if (/No space left on device/.test(said)) return 'disk_full'
  if (signal) return 'crashed'
  return BAD_INPUT.test(said) ? 'damaged' : 'crashed'
}

// ffmpeg ends with 0 even when a filter got no memory.
const TOO_MUCH =
  /Cannot allocate memory|malloc of size|Out of memory|Picture size \d+x\d+ is invalid|exceeds specified max pixel/i
const BAD_INPUT =
  /Invalid data found|moov atom not found|not on whitelist|Invalid argument|End of file|could not find codec|does not contain any stream|matches no streams|Error while decoding|not found for input stream|Output file is empty|no packets/i

function wordsOf(said: string, folder: string): string {
  const lines = said
    .replaceAll(folder, '')
    .replaceAll(/\/\S*\//g, '')
    .replaceAll(/ @ 0x[0-9a-f]+/g, '')
  return lines.trim().split('\n').slice(-3).join('\n').slice(-500)
}
