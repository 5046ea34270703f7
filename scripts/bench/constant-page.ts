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
 * Functions of a module that return constants: the given ones, or their result of the first call with the same input.
 */
export interface Constants {
  module: string
  results?: Record<string, unknown>
  cached?: readonly string[]
}

/**
 * Baseline P: a copy of this source tree whose middleware sets constant locals (the same for all, or `{ paths }` by
 * path), and whose domain functions return constants. Returns the root of the copy; `start.ts` in it builds and serves
 * it.
 */
export async function makeConstantTree(locals: object, ...modules: Constants[]): Promise<string> {
  const root = copyTree()
  fs.writeFileSync(path.join(root, 'src/middleware.ts'), middleware(locals))
  fs.writeFileSync(path.join(root, 'src/lib/core/http/load-together.ts'), LOAD_TOGETHER)
  for (const { module, results = {}, cached = [] } of modules) {
    const names = [...Object.keys(results), ...cached]
    const byFile = Map.groupBy(names, (name) => findFunctionFile(root, module, name))
    for (const [file, replaced] of byFile) {
      const original = file.replace(/\.ts$/, '-original.ts')
      fs.renameSync(file, original)
      fs.writeFileSync(file, replacement(path.basename(original), replaced, results))
    }
  }
  return root
}

/** The file of a module that defines an exported function; throws if there is none. */
export function findFunctionFile(root: string, module: string, name: string): string {
  const folder = path.join(root, 'src/lib', module)
  const definition = new RegExp(`^export (async )?function ${name}\\b`, 'm')
  const file = fs
    .globSync('**/*.ts', { cwd: folder })
    .map((each) => path.join(folder, each))
    .find((each) => definition.test(fs.readFileSync(each, 'utf8')))
  if (!file) throw new Error(`${module} has no function ${name}`)
  return file
}

/** A copy of this source tree, to be changed; `start.ts` in it builds and serves it. Returns its root. */
export function copyTree(): string {
  const root = temporary('constant')
  for (const name of COPIED) fs.cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  keepLinkedPackagesInside(root)
  return root
}

/** Astro finds no style of a package's component whose path is outside the root, as it is after following the link. */
function keepLinkedPackagesInside(root: string): void {
  const file = path.join(root, 'astro.config.mjs')
  const config = fs.readFileSync(file, 'utf8')
  const changed = config.replace('  vite: {', '  vite: {\n    resolve: { preserveSymlinks: true },')
  if (changed === config) throw new Error('astro.config.mjs has no settings of Vite to change')
  fs.writeFileSync(file, changed)
}

/** Baseline E: an Astro project with one endpoint that returns this JSON. Returns its built directory. */
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

// The structured clone format preserves dates.
function constant(value: unknown): string {
  return `deserialize(Buffer.from('${serialize(value).toString('base64')}', 'base64'))`
}

function middleware(locals: object): string {
  return `import { deserialize } from 'node:v8'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
const given = ${constant(locals)}
const t = getTranslator('uk')
export const onRequest = (context, next) => {
  const label = context.request.headers.get('host').split('.')[0]
  const own = given.paths?.[label + context.url.pathname] ?? given.paths?.[context.url.pathname]
  Object.assign(context.locals, own ?? given, { t })
  return next()
}
`
}

const LOAD_TOGETHER = 'export const loadTogether = (_scope, startLoads) => Promise.all(startLoads())\n'

function replacement(original: string, names: readonly string[], results: Record<string, unknown>): string {
  const functions = names.map((name) =>
    name in results
      ? `const ${name}Result = ${constant(results[name])}\nexport const ${name} = async () => ${name}Result\n`
      : `export const ${name} = once(original.${name})\n`,
  )
  return `import { deserialize } from 'node:v8'
import * as original from './${original}'
export * from './${original}'
function once(run) {
  const results = new Map()
  return (actor, ...rest) => {
    const key = JSON.stringify([actor?.membershipId, rest])
    if (!results.has(key)) results.set(key, run(actor, ...rest))
    return results.get(key)
  }
}
${functions.join('')}`
}

function astroBuild(root: string): Promise<void> {
  const astro = path.join(ROOT, 'node_modules/astro/bin/astro.mjs')
  const env = { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' }
  const child = spawn(process.execPath, [astro, 'build'], { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(output.slice(-3000)))))
  })
}
