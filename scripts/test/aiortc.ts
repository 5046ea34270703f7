import { spawnSync } from 'node:child_process'

/**
 * Finds or installs a Python with aiortc, another WebRTC implementation, for tests of interoperability: AIORTC_PYTHON,
 * the system's Python, or by apt. Throws with instructions.
 */
export function bringAiortc(): string {
  const python = process.env.AIORTC_PYTHON || '/usr/bin/python3'
  if (hasAiortc(python)) return python
  if (!process.env.AIORTC_PYTHON && process.getuid?.() === 0) {
    for (const command of WAYS) {
      console.log(`No aiortc: apt-get ${command.join(' ')}`)
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      spawnSync('apt-get', command, { stdio: ['ignore', 'inherit', 'inherit'], env, timeout: 300_000 })
      if (hasAiortc(python)) return python
    }
  }
  throw new Error(`No aiortc. ${ADVICE}`)
}

const ADVICE = 'Install it (Debian: apt-get install python3-aiortc) or name a Python that has it in AIORTC_PYTHON.'
const WAYS = [
  ['install', '-y', '--no-install-recommends', 'python3-aiortc'],
  ['update'],
  ['install', '-y', '--no-install-recommends', 'python3-aiortc'],
]

const hasAiortc = (python: string): boolean =>
  spawnSync(python, ['-c', 'import aiortc'], { stdio: 'ignore', timeout: 60_000 }).status === 0
