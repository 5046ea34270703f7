import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isText } from '#lib/core/http/static/compress.ts'
import { contentTypeOf } from '#lib/core/http/static/static-files.ts'

export const ROOT = path.resolve(import.meta.dirname, '..')
export const DIST = path.join(ROOT, 'dist')

const SOURCES = [
  'src',
  'public',
  'astro.config.mjs',
  'astro-i18next.config.cjs',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build-stamp.ts',
]

/**
 * Builds `dist` unless it was built from exactly these sources; returns whether it had to. Throws with the output of
 * the build.
 */
export async function ensureBuilt(announce: () => void = () => {}): Promise<boolean> {
  const stamp = hashOfSources()
  if (readStamp() === stamp) return false
  announce()
  sweep()
  const half = path.join(ROOT, `dist.${process.pid}`)
  try {
    await build(half, stamp)
    await precompress(path.join(half, 'client'))
    fs.writeFileSync(path.join(half, '.stamp'), stamp)
    // Renamed when it is complete, so that an interrupted build leaves no incomplete output.
    fs.rmSync(DIST, { recursive: true, force: true })
    fs.renameSync(half, DIST)
  } catch (error) {
    if (readStamp() !== stamp) throw error
  } finally {
    fs.rmSync(half, { recursive: true, force: true })
  }
  return true
}

function hashOfSources(): string {
  const hash = createHash('sha256').update(process.version)
  for (const source of SOURCES) {
    const at = path.join(ROOT, source)
    const names = fs.statSync(at).isDirectory() ? filesBelow(at) : ['']
    for (const name of names) hash.update(`\0${source}/${name}\0`).update(fs.readFileSync(path.join(at, name)))
  }
  return hash.digest('hex')
}

function filesBelow(directory: string): string[] {
  const entries = fs.readdirSync(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name))).sort()
}

function readStamp(): string | null {
  try {
    return fs.readFileSync(path.join(DIST, '.stamp'), 'utf8')
  } catch {
    return null
  }
}

function sweep(): void {
  for (const name of fs.readdirSync(ROOT)) {
    const pid = Number(/^dist\.(\d+)$/.exec(name)?.[1])
    if (pid > 0 && !fs.existsSync(`/proc/${pid}`)) fs.rmSync(path.join(ROOT, name), { recursive: true, force: true })
  }
}

function build(outDir: string, stamp: string): Promise<void> {
  const astro = path.join(ROOT, 'node_modules/astro/bin/astro.mjs')
  const env = { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', BUILD_STAMP: stamp.slice(0, 16) }
  const child = spawn(process.execPath, [astro, 'build', '--outDir', path.relative(ROOT, outDir)], { cwd: ROOT, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  // When the start is interrupted, the build is ended too.
  const abandon = () => child.kill()
  process.once('exit', abandon)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      process.off('exit', abandon)
      if (status === 0) resolve()
      else reject(new Error(`The build failed:\n${output.slice(-6000)}`))
    })
  })
}

// Compressed once with the highest level, so that the server only sends the bytes.
async function precompress(client: string): Promise<void> {
  await Promise.all(
    filesBelow(client).map(async (name) => {
      const file = path.join(client, name)
      const body = await fs.promises.readFile(file)
      if (body.length < 1024 || !isText(contentTypeOf(name))) return
      const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }
      await fs.promises.writeFile(`${file}.br`, await promisify(brotliCompress)(body, best))
      await fs.promises.writeFile(`${file}.gz`, await promisify(gzip)(body, { level: 9 }))
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const built = await ensureBuilt(() => console.log('Збираю сторінки… · Building…')).catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
  if (!built) console.log('Зібране свіже. · The build is fresh.')
}
