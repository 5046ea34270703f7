import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/** Sandbox programs that are available on this system. */
export interface Sandbox {
  nice: boolean
  memory: boolean
  endsWithParent: boolean
  network: readonly string[] | null
}

/** Options of a run that only inspects a program. */
export const PROBE_OPTIONS = { timeout: 10_000, maxBuffer: 4 * 1024 ** 2 }

export async function inspectSandbox(): Promise<Sandbox> {
  const [nice, memory, endsWithParent, network] = await Promise.all([
    canRun('nice', '-n', '10', 'true'),
    canRun('prlimit', '--core=0', 'true'),
    canRun('setpriv', '--pdeathsig', 'KILL', 'true'),
    findNetworkIsolation(),
  ])
  return { nice, memory, endsWithParent, network }
}

export interface SandboxLimits {
  /** Address space. */
  memoryBytes: number
  /** Size of a file that it writes. */
  fileBytes?: number
  cpuSeconds?: number
}

/**
 * The command that runs another one with low priority, limits, no network, and an end with this process, as far as the
 * system supports it.
 */
export function sandboxCommand(sandbox: Sandbox, limits: SandboxLimits): string[] {
  const { memoryBytes, fileBytes, cpuSeconds } = limits
  const further = [
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
  ]
  return [
    ...(sandbox.nice ? ['nice', '-n', '10'] : []),
    ...(sandbox.memory ? ['prlimit', `--as=${memoryBytes}`, '--core=0', ...further] : []),
    ...(sandbox.network ?? []),
    // After unshare, which resets it: the program must not outlive its parent.
    ...(sandbox.endsWithParent ? ['setpriv', '--pdeathsig', 'KILL'] : []),
  ]
}

// The absolute path: the program runs later with an environment of its own.
export async function resolveProgram(program: string): Promise<string> {
  if (process.platform === 'win32') return program
  const { stdout } = await exec('/bin/sh', ['-c', `command -v ${program}`], PROBE_OPTIONS)
  return stdout.trim() || program
}

async function findNetworkIsolation(): Promise<readonly string[] | null> {
  if (await canRun('unshare', '-n', 'true')) return ['unshare', '-n']
  return (await canRun('unshare', '-rn', 'true')) ? ['unshare', '-rn'] : null
}

async function canRun(program: string, ...args: string[]): Promise<boolean> {
  return exec(program, args, PROBE_OPTIONS).then(
    () => true,
    () => false,
  )
}
