import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { serialize } from 'node:v8'
import { temporary } from './processes.ts'
import { ROOT } from './product.ts'

const COPIED = [
  'src',
  'public',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'astro.config.mjs',
  'astro-i18next.config.cjs',
]

/**
 * A room and functions of its front door that answer with constants: with these, or with what they answered to the first
 * who asked the same.
 */
export interface Constants {
  room: string
  answers?: Record<string, unknown>
  kept?: readonly string[]
}

/**
 * Baseline P: this tree with its middleware replaced by one that sets constant locals (the same for all, or
 * `{ paths }` by path), and functions of a room's front
 * door by some that answer with a constant. Gives the copy's root; `start.ts` there builds and serves it.
 */
export async function makeConstantTree(locals: object, ...rooms: Constants[]): Promise<string> {
  const root = copyTree()
  fs.writeFileSync(path.join(root, 'src/middleware.ts'), middleware(locals))
  for (const one of rooms) {
    const door = path.join(root, `src/lib/${one.room}/${one.room}.ts`)
    fs.renameSync(door, path.join(root, `src/lib/${one.room}/${one.room}-asked.ts`))
    fs.writeFileSync(door, frontDoor(one))
  }
  return root
}

/** This tree once more, to be changed; `start.ts` there builds and serves it. Gives its root. */
export function copyTree(): string {
  const root = temporary('constant')
  for (const name of COPIED) fs.cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  return root
}

/** Baseline E: an Astro project of one endpoint that answers with this JSON. Gives its built directory. */
export async function buildBareAstro(json: string): Promise<string> {
  const root = temporary('bare')
  fs.mkdirSync(path.join(root, 'src/pages'), { recursive: true })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  fs.writeFileSync(path.join(root, 'package.json'), '{ "name": "bare", "type": "module" }')
  fs.writeFileSync(path.join(root, 'astro.config.mjs'), BARE_CONFIG)
  fs.writeFileSync(
    path.join(root, 'src/pages/answer.ts'),
    `const answer = ${json}\nexport const GET = () => Response.json(answer)\n`,
  )
  await astroBuild(root)
  return path.join(root, 'dist')
}

const BARE_CONFIG = `import node from '@astrojs/node'
export default { output: 'server', adapter: node({ mode: 'middleware' }), session: false, devToolbar: { enabled: false } }
`

// The structured clone format keeps dates as dates.
function constant(value: unknown): string {
  return `deserialize(Buffer.from('${serialize(value).toString('base64')}', 'base64'))`
}

function middleware(locals: object): string {
  return `import { deserialize } from 'node:v8'
import { translator } from '#lib/core/i18n/i18n.ts'
const given = ${constant(locals)}
const t = translator('uk')
export const onRequest = (context, next) => {
  Object.assign(context.locals, given.paths?.[context.url.pathname] ?? given, { t })
  return next()
}
`
}

function frontDoor({ room, answers = {}, kept = [] }: Constants): string {
  const said = Object.entries(answers).map(
    ([name, answer]) => `const ${name}Answer = ${constant(answer)}\nexport const ${name} = async () => ${name}Answer\n`,
  )
  const once = kept.map((name) => `export const ${name} = once(asked.${name})\n`)
  return `import { deserialize } from 'node:v8'
import * as asked from './${room}-asked.ts'
export * from './${room}-asked.ts'
function once(ask) {
  const answers = new Map()
  return (actor, ...rest) => {
    const key = JSON.stringify(rest)
    if (!answers.has(key)) answers.set(key, ask(actor, ...rest))
    return answers.get(key)
  }
}
${said.join('')}${once.join('')}`
}

function astroBuild(root: string): Promise<void> {
  const astro = path.join(ROOT, 'node_modules/astro/bin/astro.mjs')
  const env = { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' }
  const child = spawn(process.execPath, [astro, 'build'], { cwd: root, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(said.slice(-3000)))))
  })
}
