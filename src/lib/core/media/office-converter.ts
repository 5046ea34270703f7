import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { config } from '../config/config.ts'
import { childEnvironment, MediaError } from './media-task.ts'
import { inspectSandbox, PROBE_OPTIONS, resolveProgram, type Sandbox, sandboxCommand } from './sandbox.ts'

const exec = promisify(execFile)

export interface OfficeConverter {
  program: string
  version: string
  sandbox: Sandbox
}

/** Limits of a conversion. */
const TIME_LIMIT_MS = 120_000
/** Ends its processes also when they were left by a killed process of the product. */
const CPU_SECONDS = 180
const MAX_MEMORY_BYTES = 4 * 1024 ** 3
const MAX_PDF_BYTES = 256 * 1024 ** 2
const MAX_CONVERTED_PAGES = 500
const PROGRAMS = ['soffice', 'libreoffice']
// A missing program may be installed at any time.
const RETRY_AFTER_MS = 30_000
let cached: { at: number; converter: Promise<OfficeConverter | null> } | undefined

/** LibreOffice, from LIBREOFFICE_PATH or PATH; null without it. */
export async function findConverter(): Promise<OfficeConverter | null> {
  if (!cached || ((await cached.converter) === null && Date.now() - cached.at > RETRY_AFTER_MS)) {
    cached = { at: Date.now(), converter: inspectConverter(config.libreOfficePath).catch(() => null) }
  }
  return cached.converter
}

/** Throws with the reason when there is no such program. */
export async function inspectConverter(given: string | undefined): Promise<OfficeConverter> {
  const program = given ?? (await firstProgram())
  const { stdout } = await exec(program, ['--version'], PROBE_OPTIONS)
  return { program, version: stdout.trim().split('\n')[0] ?? '', sandbox: await inspectSandbox() }
}

async function firstProgram(): Promise<string> {
  for (const name of PROGRAMS) {
    const program = await resolveProgram(name).catch(() => null)
    if (program) return program
  }
  throw new Error('LibreOffice is not installed')
}

/**
 * Converts an office document to `<folder>/converted/<name>.pdf` by LibreOffice without a window: with a profile of its
 * own in `folder`, no macros, no network, low priority, and limits of time, memory, size and pages. Returns the path. Throws
 * MediaError: `too_long`, `too_heavy` for a size or number of pages beyond the limits, `damaged` when there is no result,
 * `stopped` by the signal.
 */
export async function convertToPdf(
  converter: OfficeConverter,
  inputPath: string,
  { folder, signal, timeLimitMs = TIME_LIMIT_MS }: { folder: string; signal: AbortSignal; timeLimitMs?: number },
): Promise<string> {
  const [profile, output] = [path.join(folder, 'profile'), path.join(folder, 'converted')]
  await mkdir(path.join(profile, 'user'), { recursive: true })
  await mkdir(output)
  await writeFile(path.join(profile, 'user', 'registrymodifications.xcu'), PROFILE_SETTINGS)
  const options = ['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nologo', '--nofirststartwizard']
  const args = [
    `-env:UserInstallation=file://${profile}`,
    ...options,
    '--convert-to',
    'pdf',
    '--outdir',
    output,
    inputPath,
  ]
  await runConverter(converter, args, { folder, signal, timeLimitMs })
  const result = path.join(output, `${path.parse(inputPath).name}.pdf`)
  const size = (await stat(result).catch(() => null))?.size ?? 0
  if (size === 0) throw new MediaError('damaged')
  if (size > MAX_PDF_BYTES || countPages(await readFile(result)) > MAX_CONVERTED_PAGES)
    throw new MediaError('too_heavy')
  return result
}

// LibreOffice writes the objects of pages uncompressed.
function countPages(pdf: Buffer): number {
  let pages = 0
  for (let at = pdf.indexOf(PAGE_OBJECT); at !== -1; at = pdf.indexOf(PAGE_OBJECT, at + PAGE_OBJECT.length)) pages += 1
  return pages
}

const PAGE_OBJECT = '/Type/Page/'

async function runConverter(
  { program, sandbox }: OfficeConverter,
  args: readonly string[],
  { folder, signal, timeLimitMs }: { folder: string; signal: AbortSignal; timeLimitMs: number },
): Promise<void> {
  if (signal.aborted) throw new MediaError('stopped')
  const limits = { memoryBytes: MAX_MEMORY_BYTES, fileBytes: MAX_PDF_BYTES, cpuSeconds: CPU_SECONDS }
  const [first = '', ...rest] = [...sandboxCommand(sandbox, limits), program, ...args]
  // A group of its own: the program is a script that starts others, which are killed together.
  const child = spawn(first, rest, { cwd: folder, env: childEnvironment(folder), stdio: 'ignore', detached: true })
  let stopError: MediaError | null = null
  const kill = (fault: 'too_long' | 'stopped') => {
    stopError ??= new MediaError(fault)
    if (child.pid) killGroup(child.pid)
  }
  const timer = setTimeout(() => kill('too_long'), timeLimitMs)
  const stop = () => kill('stopped')
  signal.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', () => reject(new MediaError('crashed', 'LibreOffice does not start')))
      // Its exit code says little: some versions exit with 0 without a result.
      child.once('close', () => (stopError ? reject(stopError) : resolve()))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    if (child.pid) killGroup(child.pid)
  }
}

function killGroup(processId: number): void {
  try {
    process.kill(-processId, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const setting = (node: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.Office.Common/${node}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`

/** No macros, and no content from other files or addresses. */
const PROFILE_SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${setting('Security/Scripting', 'MacroSecurityLevel', '3')}
${setting('Security/Scripting', 'DisableMacrosExecution', 'true')}
${setting('Security/Scripting', 'BlockUntrustedRefererLinks', 'true')}
${setting('Security/Scripting', 'DisableActiveContent', 'true')}
</oor:items>
`
