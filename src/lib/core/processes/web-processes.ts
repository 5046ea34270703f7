import cluster, { type Worker } from 'node:cluster'
import type { RemoteRequest, RemoteResponse } from '../broadcast/remote-media-process.ts'
import { restartDelayMs } from '../shared/backoff.ts'
import { MINUTE_MS } from '../shared/time.ts'
import { connectPeers, type PeerMessage, receivePeerMessage, recentPeerMessages } from './peers.ts'

/*
 * Several web processes behind one port. The main process accepts connections and distributes them in turn, passes
 * messages between the web processes, runs the media process for all of them, and restarts a web process that ends.
 */

export type ToMain = { peer: PeerMessage } | RemoteRequest
export type FromMain = { peer: PeerMessage } | RemoteResponse

interface WebProcessesOptions {
  count: number
  /** The program of a web process. */
  program: string
  answerMediaRequest(request: RemoteRequest): Promise<RemoteResponse>
  /** Called when a web process ended unexpectedly, with the reason. */
  warn(reason: string): void
}

export interface WebProcesses {
  /** Ends all web processes: they finish their requests, and after `timeoutMs` are killed. */
  stop(timeoutMs: number): Promise<void>
}

/** A process that ran this long resets the restart delay. */
const STABLE_AFTER_MS = MINUTE_MS

/** Starts the web processes and waits until all of them listen; rejects when one ends before any of them listens. */
export async function startWebProcesses(options: WebProcessesOptions): Promise<WebProcesses> {
  const { count, program, warn } = options
  let isStopping = false
  let failures = 0
  let listening = 0
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' })
  connectPeers((peer) => sendToAll({ peer }, null))
  cluster.on('message', (worker: Worker, message: ToMain) => void receive(worker, message, options))
  await new Promise<void>((resolve, reject) => {
    for (let n = 0; n < count; n++) startWorker(resolve, reject)
  })
  return {
    async stop(timeoutMs) {
      isStopping = true
      await Promise.all(workers().map((worker) => stopWorker(worker, timeoutMs)))
    },
  }

  function startWorker(started: () => void, failed: (error: Error) => void): void {
    const worker = cluster.fork()
    const startedAt = Date.now()
    for (const peer of recentPeerMessages()) sendToWorker(worker, { peer })
    worker.once('listening', () => {
      listening += 1
      if (listening === count) started()
    })
    // Emitted when a connection cannot be passed to a process that is exiting; 'exit' follows.
    worker.on('error', (error) => warn(`a web process is unreachable: ${error.message}`))
    worker.once('exit', (code, signal) => {
      if (isStopping) return
      if (listening === 0) return failed(new Error('A web process did not start'))
      warn(`a web process ended: ${signal ?? `code ${code}`}`)
      failures = Date.now() - startedAt > STABLE_AFTER_MS ? 0 : failures
      setTimeout(() => isStopping || startWorker(started, failed), restartDelayMs(failures))
      failures += 1
    })
  }
}

async function receive(worker: Worker, message: ToMain, { answerMediaRequest }: WebProcessesOptions): Promise<void> {
  if ('peer' in message) {
    receivePeerMessage(message.peer)
    sendToAll({ peer: message.peer }, worker)
  } else {
    sendToWorker(worker, await answerMediaRequest(message))
  }
}

function sendToAll(message: FromMain, except: Worker | null): void {
  for (const worker of workers()) if (worker !== except) sendToWorker(worker, message)
}

// Sends nothing to a process that is exiting.
function sendToWorker(worker: Worker, message: FromMain): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

function stopWorker(worker: Worker, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const killTimer = setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs)
    worker.once('exit', () => {
      clearTimeout(killTimer)
      resolve()
    })
    worker.process.kill('SIGTERM')
  })
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
