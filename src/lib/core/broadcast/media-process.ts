import { type ChildProcess, fork } from 'node:child_process'
import dgram from 'node:dgram'
import path from 'node:path'
import { environmentOf } from '../config/config.ts'
import { forwardLines } from '../log.ts'
import { restartDelayMs } from '../shared/backoff.ts'
import { MINUTE_MS } from '../shared/time.ts'
import type { OutputCommand, OutputEvent } from './output-protocol.ts'
import type {
  SfuFault,
  SfuMessage,
  SfuRequest,
  SfuResponses,
  SfuSettings,
  StreamId,
  StreamState,
} from './sfu/protocol.ts'

/*
 * Runs the media process (SFU) and restarts it when it ends: at once the first time, then with growing delays, on the same
 * port and with the same output commands. Browsers reconnect by themselves.
 */

export interface MediaProcess {
  /** Starts the child process if it does not run. Rejects when it does not start. */
  start(): Promise<void>
  request<Op extends SfuRequest['op']>(request: Extract<SfuRequest, { op: Op }>): Promise<SfuResponses[Op]>
  /** Sends a command, and repeats it to every restarted child process until the matching end command. */
  sendOutputCommand(command: OutputCommand): Promise<Record<string, unknown>>
  onStreamState(listener: (state: StreamState) => void): () => void
  onOutputEvent(listener: (event: OutputEvent) => void): () => void
  onCodecMissing(listener: (stream: StreamId) => void): () => void
  /** Process id; null while the child process does not run. */
  pid(): number | null
  /** Its UDP port, chosen at the first start. */
  port(): number
  close(): Promise<void>
}

/** A request failed. Not a Refusal, since two bundles with different classes share the media process. */
export interface MediaProcessError extends Error {
  fault: SfuFault
}

/** A process that ran this long resets the restart delay. */
const STABLE_AFTER_MS = MINUTE_MS
const RESPONSE_TIMEOUT_MS = 10_000
/** Longer, since a command may wait for recordings to be written. */
const OUTPUT_TIMEOUT_MS = MINUTE_MS
const PROGRAM = path.resolve('src/lib/core/broadcast/sfu/sfu.ts')
// Native code that parses network input must not see keys or the database address.
const FORWARDED_ENVIRONMENT = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'NODE_ENV',
  'LOG_LEVEL',
  'DATA_DIR',
  'DISK_RESERVE_MB',
  'FFMPEG_PATH',
  'BASE_DOMAIN',
]

/** Creates a media process that is not started yet. `warn` gets the reason of an unexpected end. */
export function createMediaProcess(settings: SfuSettings, warn: (reason: string) => void): MediaProcess {
  const streams = new Map<string, StreamState>()
  const stateListeners = new Set<(state: StreamState) => void>()
  const codecListeners = new Set<(stream: StreamId) => void>()
  const eventListeners = new Set<(event: OutputEvent) => void>()
  const commands = new Map<string, OutputCommand>()
  const pendingRequests = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let child: ChildProcess | null = null
  let starting: Promise<ChildProcess> | null = null
  let port = settings.port
  let requestCount = 0
  let failures = 0
  let isClosed = false
  let restartTimer: NodeJS.Timeout | undefined

  function ensureRunning(): Promise<ChildProcess> {
    if (isClosed) return Promise.reject(createError('failed', 'the media process is closed'))
    starting ??= startChild().catch((error: Error) => {
      starting = null
      throw error
    })
    return starting
  }

  async function startChild(): Promise<ChildProcess> {
    clearTimeout(restartTimer)
    port ||= await findFreePort(settings.bind)
    const started = fork(PROGRAM, [], {
      env: environmentOf(...FORWARDED_ENVIRONMENT),
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const output of [started.stdout, started.stderr]) if (output) void forwardLines(output, 'media process')
    child = started
    const startedAt = Date.now()
    started.on('message', (message: SfuMessage) => handleMessage(message))
    started.once('exit', (code, signal) => handleExit(started, startedAt, signal ?? `code ${code}`))
    started.once('error', (error) => warn(error.message))
    await sendRequest(started, { op: 'settings', settings: { ...settings, port } }).catch((error: Error) => {
      started.kill('SIGKILL')
      throw error
    })
    for (const command of commands.values()) {
      await sendRequest(started, { op: 'output', command }).catch((error: Error) => warn(error.message))
    }
    return started
  }

  function handleExit(started: ChildProcess, startedAt: number, reason: string): void {
    if (child !== started) return
    child = null
    starting = null
    for (const { reject } of pendingRequests.values())
      reject(createError('failed', `the media process ended: ${reason}`))
    pendingRequests.clear()
    for (const state of [...streams.values()]) handleMessage({ stream: { ...state, isPublished: false } })
    if (isClosed) return
    warn(`the media process ended: ${reason}`)
    failures = Date.now() - startedAt > STABLE_AFTER_MS ? 0 : failures
    restartTimer = setTimeout(
      () => void ensureRunning().catch((error: Error) => warn(error.message)),
      restartDelayMs(failures),
    )
    failures += 1
  }

  function sendRequest<Op extends SfuRequest['op']>(
    target: ChildProcess,
    request: Extract<SfuRequest, { op: Op }>,
  ): Promise<SfuResponses[Op]> {
    const requestId = ++requestCount
    return new Promise<SfuResponses[Op]>((resolve, reject) => {
      const onTimeout = () => settle(() => reject(createError('failed', 'the media process does not respond')))
      const timer = setTimeout(onTimeout, request.op === 'output' ? OUTPUT_TIMEOUT_MS : RESPONSE_TIMEOUT_MS)
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        pendingRequests.delete(requestId)
        finish()
      }
      pendingRequests.set(requestId, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
      })
      const onSendError = (error: Error | null) => error && settle(() => reject(createError('failed', error.message)))
      target.send({ requestId, request }, onSendError)
    })
  }

  function handleMessage(message: SfuMessage): void {
    if ('outputEvent' in message) {
      for (const listener of eventListeners) listener(message.outputEvent)
    } else if ('stream' in message) {
      const name = `${message.stream.room}/${message.stream.stream}`
      if (message.stream.isPublished) streams.set(name, message.stream)
      else streams.delete(name)
      for (const listener of stateListeners) listener(message.stream)
    } else if ('codecMissing' in message) {
      for (const listener of codecListeners) listener(message.codecMissing)
    } else if ('warning' in message) {
      warn(message.warning)
    } else if ('fault' in message) {
      pendingRequests.get(message.requestId)?.reject(createError(message.fault, message.message))
    } else {
      pendingRequests.get(message.requestId)?.resolve(message.value as never)
    }
  }

  return {
    start: () => ensureRunning().then(() => undefined),
    request: async (request) => sendRequest(await ensureRunning(), request),
    async sendOutputCommand(command) {
      storeCommand(commands, command)
      // An end command starts no process.
      if (command.op.endsWith('End') && !starting) return {}
      return sendRequest(await ensureRunning(), { op: 'output', command })
    },
    onStreamState: (listener) => addListener(stateListeners, listener),
    onOutputEvent: (listener) => addListener(eventListeners, listener),
    onCodecMissing: (listener) => addListener(codecListeners, listener),
    pid: () => child?.pid ?? null,
    port: () => port,
    async close() {
      isClosed = true
      clearTimeout(restartTimer)
      const lastChild = child
      if (!lastChild) return
      const exited = new Promise<void>((resolve) => lastChild.once('exit', () => resolve()))
      lastChild.kill('SIGTERM')
      const killTimer = setTimeout(() => lastChild.kill('SIGKILL'), RESPONSE_TIMEOUT_MS)
      await exited
      clearTimeout(killTimer)
    },
  }
}

function createError(fault: SfuFault, message: string): MediaProcessError {
  return Object.assign(new Error(message), { fault })
}

// Commands are stored until the matching end command, for a restarted process.
function storeCommand(commands: Map<string, OutputCommand>, command: OutputCommand): void {
  // HLS requests repeat by themselves while there are viewers.
  if (command.op === 'hls' || command.op === 'hlsEnd') return
  const name = `${command.op.replace('End', '')} ${command.room} ${command.stream ?? '*'}`
  if (command.op.endsWith('End')) commands.delete(name)
  else commands.set(name, command)
}

// Another process may take the port before the child binds it; the start then fails with the port in the message.
function findFreePort(bind: string | null): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4')
    socket.once('error', reject)
    socket.bind(0, bind ?? '0.0.0.0', () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    })
  })
}

function addListener<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
