import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { SentPage } from './crawl.ts'

const Report = z.object({
  messages: z.array(z.object({ url: z.string().optional(), message: z.string(), extract: z.string().optional() })),
})

/** Attributes of buttons and dialogs in the HTML standard that this version of the checker does not support. */
const NEW_ATTRIBUTE = /^Attribute “(command|commandfor|closedby)” not allowed on element “(button|dialog)”/

/** Runs the Nu HTML checker over all pages in one process, because its start takes most of the time. */
export async function findHtmlErrors(pages: readonly SentPage[], folder: string): Promise<string[]> {
  fs.mkdirSync(folder, { recursive: true })
  const files = pages.map(({ html }, index) => {
    const file = path.join(folder, `${index}.html`)
    fs.writeFileSync(file, html)
    return file
  })
  const archive = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar')
  const options = ['--format', 'json', '--errors-only', '--exit-zero-always', '--stdout']
  const { stdout } = await promisify(execFile)(
    process.env.JAVA_PATH ?? 'java',
    ['-jar', archive, ...options, ...files],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  const { messages } = Report.parse(JSON.parse(stdout))
  return messages
    .filter(({ message }) => !NEW_ATTRIBUTE.test(message))
    .map(({ url = '', message, extract = '' }) => {
      const at = pages[Number(path.basename(url, '.html'))]
      return `${at?.name}: ${message} ${extract.trim()}`
    })
}
