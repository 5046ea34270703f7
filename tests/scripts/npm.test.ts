import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { isAlive } from '#lib/core/db/embedded-cluster.ts'

const started: number[] = []
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})

/**
 * Runs a script of package.json by the npm of this machine until it prints that it is ready. Returns the processes of
 * npm and of the product.
 */
async function npmRun(script: string): Promise<{ npm: ChildProcess; pid: number }> {
  const npm = spawn('npm', ['run', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  await vi.waitFor(() => expect(printed).toContain('Working on jobs'), { timeout: 30_000, interval: 100 })
  const pid = leafOf(npm.pid ?? 0)
  started.push(npm.pid ?? 0, pid)
  return { npm, pid }
}

// The last descendant process of npm, below a shell if there is one.
function leafOf(pid: number): number {
  const children = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return children[0] ? leafOf(Number(children[0])) : pid
}

function parentOf(pid: string): number | null {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}

const isGone = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000, interval: 50 })

test('a signal to npm ends its child processes', { timeout: 60_000 }, async () => {
  const { npm, pid } = await npmRun('worker')
  expect(pid).not.toBe(npm.pid)
  const ended = once(npm, 'exit')
  npm.kill('SIGTERM')
  await ended
  await isGone(pid)
})

test('child processes of a killed npm end by themselves', { timeout: 60_000 }, async () => {
  const { npm, pid } = await npmRun('worker')
  npm.kill('SIGKILL')
  await isGone(pid)
})

test('every long-running script replaces the shell that npm starts', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  for (const name of ['start', 'dev', 'worker', 'move', 'backup', 'restore'])
    expect(scripts[name]).toMatch(new RegExp(`^exec node (--\\S+ )*scripts/${name}\\.ts$`))
})
