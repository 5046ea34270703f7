import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { createDatabase, TEMPLATE } from './servers/cluster.ts'

/*
 * Runs before each test file: creates a copy of the migrated database and a data directory and sets the environment
 * before the configuration is read, so that test files can run in parallel.
 */
const { directory, socketDir } = inject('cluster')
const name = `t_${randomBytes(6).toString('hex')}`
const dataDir = path.join(directory, name)
fs.mkdirSync(dataDir)

Object.assign(process.env, {
  NODE_ENV: 'test',
  DATABASE_URL: await createDatabase(socketDir, name, TEMPLATE),
  DATABASE_POOL: '6',
  DATA_DIR: dataDir,
  BASE_DOMAIN: 'kafedra.localhost',
  PORT: '4321',
  LOG_LEVEL: 'silent',
  ENCODE_PRESET: 'ultrafast',
})
for (const name of ['SMTP_URL', 'REDIS_URL', 'SENTRY_DSN', 'WHIP_URL', 'WHEP_URL', 'ICE_SERVERS', 'AI_BASE_URL'])
  delete process.env[name]
for (const name of Object.keys(process.env)) if (name.startsWith('S3_')) delete process.env[name]
