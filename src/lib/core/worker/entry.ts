import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../http/refusal.ts'
import { tooComplex, type WorkerCall, type WorkerReply } from './protocol.ts'

/* A worker process: executes one function of one module at a time for its parent process. */

// A task that never returns blocks the event loop: a thread ends the process when its parent has exited.
const ORPHANED = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL') }, 2000)`
new Worker(ORPHANED, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()

process.on('disconnect', () => process.exit(0))
process.on('message', (call: WorkerCall) => {
  void runWorkerCall(call).then((reply) => process.send?.(reply))
})

async function runWorkerCall({ file, name, input, field }: WorkerCall): Promise<WorkerReply> {
  try {
    const module: Record<string, unknown> = await import(pathToFileURL(path.resolve(file)).href)
    const task = module[name]
    if (typeof task !== 'function') throw new Error(`${file} exports no function ${name}`)
    return { value: await task(input) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: { code: error.code, details: error.details } }
    // A stack overflow, or a text above the maximum length: the input is too deep or too large.
    if (error instanceof RangeError) return { refusal: tooComplex(field) }
    return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
