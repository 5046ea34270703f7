import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { createDatabase, TEMPLATE } from './servers/cluster.ts'

/*
 * Before each test file: its own copy of the migrated database and its own data directory, in the environment before
 * anything reads the configuration. Files therefore run side by side and find an empty product.
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
