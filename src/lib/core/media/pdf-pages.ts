import { fork } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { environmentOf } from '../config/config.ts'

const PROGRAM = path.resolve('src/lib/core/media/pdf-render-process.ts')
const FORWARDED_ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_ENV']
const MEMORY_MB = 768
/** Time limit in milliseconds: for the start of the process, and for each page. */
const TIME_LIMIT_MS = { start: 20_000, each: 4000 }

/**
 * Renders pages of a PDF to fit a size, in a child process with limits of time and memory. Returns the PNG paths by
 * page, without pages that failed.
 */
export async function renderPdfPages(
  file: string,
  { pages, folder, width, height }: { pages: readonly number[]; folder: string; width: number; height: number },
  signal: AbortSignal,
): Promise<Map<number, string>> {
  await new Promise<void>((resolve) => {
    const child = fork(PROGRAM, [file, folder, ...[width, height, ...pages].map(String)], {
      env: environmentOf(...FORWARDED_ENVIRONMENT),
      execArgv: [`--max-old-space-size=${MEMORY_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const end = () => child.kill('SIGKILL')
    const late = setTimeout(end, TIME_LIMIT_MS.start + pages.length * TIME_LIMIT_MS.each)
    signal.addEventListener('abort', end, { once: true })
    child.once('error', () => resolve())
    child.once('exit', () => {
      clearTimeout(late)
      signal.removeEventListener('abort', end)
      resolve()
    })
  })
  const drawn = new Set(await readdir(folder))
  return new Map(
    pages.flatMap((page) => (drawn.has(`${page}.png`) ? [[page, path.join(folder, `${page}.png`)] as const] : [])),
  )
}
