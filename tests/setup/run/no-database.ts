import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setEnvironment } from './environment.ts'

/*
 * Runs before each test file that needs no database. Several files run in one process, which reads its configuration
 * once and therefore has one data directory.
 */
if (!process.env.DATA_DIR?.startsWith(path.join(os.tmpdir(), 'kafedra-test-'))) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-test-'))
  process.once('exit', () => fs.rmSync(directory, { recursive: true, force: true }))
  setEnvironment(directory)
}
