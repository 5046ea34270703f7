import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { createDatabase, TEMPLATE } from '../servers/cluster.ts'
import { setEnvironment } from './environment.ts'

/*
 * Runs before each test file: creates a copy of the migrated database and a data directory and sets the environment
 * before the configuration is read, so that test files can run in parallel.
 */
const { directory, socketDir } = inject('cluster')
const name = `t_${randomBytes(6).toString('hex')}`
const dataDir = path.join(directory, name)
fs.mkdirSync(dataDir)
setEnvironment(dataDir)
Object.assign(process.env, {
  DATABASE_URL: await createDatabase(socketDir, name, TEMPLATE),
  DATABASE_POOL: '6',
})
