import { spawnSync } from 'node:child_process'

/**
 * A Java, 11 or newer, for the Nu HTML checker: JAVA_PATH, the one on the PATH, or installed by apt. Throws with
 * instructions.
 */
export function bringJava(): string {
  const java = process.env.JAVA_PATH || 'java'
  if (runs(java)) return java
  if (!process.env.JAVA_PATH && process.getuid?.() === 0) {
    for (const command of WAYS) {
      console.log(`No Java: apt-get ${command.join(' ')}`)
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      spawnSync('apt-get', command, { stdio: ['ignore', 'inherit', 'inherit'], env, timeout: 300_000 })
      if (runs(java)) return java
    }
  }
  throw new Error('No Java. Install it (Debian: apt-get install default-jre-headless) or name one in JAVA_PATH.')
}

const WAYS = [
  ['install', '-y', '--no-install-recommends', 'default-jre-headless'],
  ['update'],
  ['install', '-y', '--no-install-recommends', 'default-jre-headless'],
]

const runs = (java: string): boolean => spawnSync(java, ['-version'], { stdio: 'ignore', timeout: 60_000 }).status === 0
