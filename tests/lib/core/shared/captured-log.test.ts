import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

// In a separate process, because the console of the whole process is captured.
const PROGRAM = `
  const { captureConsole, forwardLines } = await import('#lib/core/log.ts')
  const { Readable } = await import('node:stream')
  captureConsole()
  console.log('two\\nlines of %s', 'text')
  console.error('a failure', new Error('first line\\nsecond line'))
  process.emitWarning('a warning\\nof Node')
  await forwardLines(Readable.from(['{"level":30}\\n', 'native code: it is broken\\n']), 'child')
  await new Promise((resolve) => setImmediate(resolve))
`

test('prints JSON lines only, stack traces included', async () => {
  const env = { ...process.env, LOG_LEVEL: 'debug' }
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd: path.resolve('.'), env })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => (printed += String(bytes)))
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatchObject({ level: 30, msg: 'two\nlines of text' })
  expect(lines[1]).toMatchObject({ level: 50, err: { message: 'first line\nsecond line' } })
  expect(lines[1].err.stack).toContain('\n    at ')
  expect(lines.map(({ err }) => err?.message)).toContain('a warning\nof Node')
  expect(lines).toContainEqual({ level: 30 })
  expect(lines.at(-1)).toMatchObject({ from: 'child', line: 'native code: it is broken' })
})
