import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

/** Functions that release resources at the end, in reverse order. */
const closers: (() => unknown)[] = []

export function atEnd(close: () => unknown): void {
  closers.push(close)
}

export async function endAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) {
    await Promise.resolve()
      .then(close)
      .catch((error: Error) => console.error(error.message))
  }
}

/** A temporary directory that PostgreSQL can access as `nobody` when started by root; removed at the end. */
export function temporary(name: string): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), `kb-${name}-`))
  fs.chmodSync(directory, 0o711)
  atEnd(() => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return directory
}

export async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

export interface Child {
  pid: number
  /** The last output on standard error and standard output. */
  words(): string
  stop(): Promise<void>
}

/** Runs a program with this Node version until `stop`; its output is written to a file, as for a service. */
export function run(cwd: string, args: string[], environment: Record<string, string>): Child {
  const log = path.join(temporary('log'), 'out')
  const file = fs.openSync(log, 'a')
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...inherited(), ...environment },
    stdio: ['ignore', file, file],
  })
  fs.closeSync(file)
  const stop = () => ended(child)
  atEnd(stop)
  return { pid: child.pid ?? 0, words: () => fs.readFileSync(log, 'utf8').slice(-3000), stop }
}

/**
 * Waits until a server responds on the port, with any status. Throws the output of the process when it has exited
 * before.
 */
export async function untilListening(child: Child, port: number, timeoutMs = 180_000): Promise<void> {
  const until = Date.now() + timeoutMs
  while (!(await knocks(port))) {
    if (!fs.existsSync(`/proc/${child.pid}`) || statusOf(child.pid).startsWith('Z') || Date.now() > until) {
      throw new Error(`nothing listens on ${port}:\n${child.words()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Milliseconds of processor time that a process and its children have used, in all threads. Linux counts in hundredths
 * of a second.
 */
export function cpuOf(pid: number): number {
  const fields = statusOf(pid).split(' ')
  const own = (Number(fields[11]) + Number(fields[12])) * 10
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own)
}

function childrenOf(pid: number): number[] {
  const tasks = fs.readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap((task) =>
    fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
}

/** Resident memory of a process in megabytes. */
export function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** The same including its children. */
export function memoryOfTree(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + memoryOfTree(child), memoryOf(pid))
}

function statusOf(pid: number): string {
  return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
}

// The configuration of the caller must not affect the measured process.
function inherited(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_OPTIONS']
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const cut = setTimeout(() => child.kill('SIGKILL'), 15_000)
    child.once('exit', () => {
      clearTimeout(cut)
      resolve()
    })
    child.kill('SIGTERM')
  })
}

function knocks(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
