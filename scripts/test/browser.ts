import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

// A complete browser also draws its window: pages alone take forty percent less.
const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Flags for a Chromium that connects only to the tested server; root needs the first. */
export const BROWSER_FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Path of an installed Chromium, or null. CHROMIUM_PATH takes precedence. */
export function findBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH
  return (
    [...(given ? [given] : []), ...USUAL, chromium.executablePath()].find((path) => path && existsSync(path)) ?? null
  )
}

/** Path of a working Chromium, installed by Playwright or by apt when there is none. Throws with instructions. */
export function bringBrowser(): string {
  for (const way of WAYS) {
    const found = findBrowser()
    if (found && runs(found)) return found
    if (way.fits()) attempt(way.command)
  }
  const found = findBrowser()
  if (found && runs(found)) return found
  throw new Error(
    'No Chromium. Install it (Debian: apt-get install chromium-headless-shell) or name one in CHROMIUM_PATH.',
  )
}

const isRoot = (): boolean => process.getuid?.() === 0

const WAYS = [
  { command: ['playwright', 'install', 'chromium'], fits: () => true },
  // Its libraries are needed only when the download succeeded.
  {
    command: ['playwright', 'install-deps', 'chromium'],
    fits: () => isRoot() && existsSync(chromium.executablePath()),
  },
  { command: ['apt-get', 'update'], fits: isRoot },
  { command: ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'], fits: isRoot },
]

function attempt([program = '', ...args]: string[]): void {
  console.log(`No Chromium that runs: ${program} ${args.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env, timeout: 300_000 })
}

function runs(path: string): boolean {
  try {
    execFileSync(path, ['--version', ...BROWSER_FLAGS.slice(0, 1)], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}
