import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressOf, config } from '#lib/core/config/config.ts'
import { banner } from '../../scripts/banner.ts'
import { wantsDemo } from '../../scripts/seed.ts'

const LAUNCH = path.resolve('scripts/launch.ts')
let dataDir = ''
const children: ChildProcess[] = []

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-launch-'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test('gives one process a data directory and reports to the next one which process has it', async () => {
  const first = claimElsewhere()
  expect(await first.output).toBe('mine')
  const second = claimElsewhere()
  expect(await second.output).toContain(`http://localhost:4999 (pid ${first.child.pid})`)
  expect(await second.status).toBe(1)
})

test('gives one of several simultaneous starts the directory', async () => {
  const output = await Promise.all([1, 2, 3, 4].map(() => claimElsewhere().output))
  expect(output.filter((words) => words === 'mine')).toHaveLength(1)
})

test('locks the directory between containers, which share neither network nor process ids', async () => {
  const first = claimElsewhere()
  expect(await first.output).toBe('mine')
  const container = claimElsewhere(namespaceCommand())
  expect(await container.output).toContain('already runs on this directory')
  expect(await container.status).toBe(1)
})

test('frees the directory of a killed process', async () => {
  const first = claimElsewhere()
  await first.output
  first.child.kill('SIGKILL')
  await first.status
  expect(await claimElsewhere().output).toBe('mine')
})

test('refuses to start with an invalid value and names the variable', async () => {
  const child = spawn(process.execPath, ['scripts/worker.ts'], {
    env: { ...process.env, PORT: 'many', BASE_DOMAIN: 'x' },
  })
  let output = ''
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const [status] = await once(child, 'close')
  expect(status).toBe(1)
  expect(output).toMatch(/PORT: [\s\S]*BASE_DOMAIN: /)
  expect(output).not.toContain('at readConfig')
})

test('prints URLs, accounts and password of a demo, and no password without one', () => {
  const demo = banner({ ...config, devPages: true }, ['demo', 'sonata'], 1.25)
  const paths = ['/', '/dev/outbox'].map((pathname) => addressOf(null, pathname))
  const schools = ['demo', 'sonata', 'go'].map((subdomain) => addressOf(subdomain, '/login'))
  for (const words of [...paths, ...schools, '@kafedra.test', '@sonata.test', 'Kafedra-2026!', config.dataDir]) {
    expect(demo).toContain(words)
  }
  expect(banner({ ...config, devPages: false }, [], 1)).not.toMatch(/outbox|Kafedra-2026!|demo/)
})

test('explains on an empty installation how the first owner registers and where the email is delivered', () => {
  const outbox = path.join(config.dataDir, 'outbox')
  const banners = {
    local: banner({ ...config, devPages: true }, [], 1, true),
    files: banner({ ...config, devPages: false, smtpUrl: undefined }, [], 1, true),
    sent: banner({ ...config, devPages: false, smtpUrl: 'smtp://mail' }, [], 1, true),
  }
  for (const text of Object.values(banners)) {
    expect(text).toContain(addressOf(null, '/register'))
    expect(text).toMatch(/Перший власник · First owner/)
    expect(text).not.toContain('Kafedra-2026!')
  }
  expect(banners.local).toContain(`here: ${addressOf(null, '/dev/outbox')}`)
  expect(banners.files).toContain(`here: ${outbox}`)
  expect(banners.sent).not.toContain(outbox)
  expect(banner(config, [], 1, false)).not.toContain('/register')
})

test.each([
  ['kafedra.localhost', [], true],
  ['kafedra.localhost', ['--empty'], false],
  ['kafedra.localhost', ['--demo', '--empty'], false],
  ['example.com', [], false],
  ['localhost.example.com', [], false],
  ['example.com', ['--demo'], true],
])('decides for %s with %j whether the demo is created: %s', (baseDomain, args, expected) => {
  expect(wantsDemo(baseDomain, ['node', 'scripts/start.ts', ...args])).toBe(expected)
})

/** Runs a program in namespaces of its own, where the system permits it. */
function namespaceCommand(): string[] {
  const namespaces = ['--net', '--pid', '--fork']
  const commands = [namespaces, ['--user', '--map-root-user', ...namespaces]].map((flags) => ['unshare', ...flags])
  return commands.find(([file = '', ...flags]) => spawnSync(file, [...flags, 'true']).status === 0) ?? []
}

function claimElsewhere(prefix: string[] = []): {
  child: ChildProcess
  output: Promise<string>
  status: Promise<number | null>
} {
  const program = `import { lockDataFolder } from ${JSON.stringify(LAUNCH)}
    await lockDataFolder(${JSON.stringify(dataDir)}, { address: 'http://localhost:4999' })
    process.stdout.write('mine'); setInterval(() => {}, 1e6)`
  const [file = process.execPath, ...args] = [...prefix, process.execPath, '--input-type=module', '-e', program]
  const child = spawn(file, args)
  children.push(child)
  const output = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]).then(([chunk]) => String(chunk))
  return { child, output, status: once(child, 'exit').then(([status]) => status) }
}
