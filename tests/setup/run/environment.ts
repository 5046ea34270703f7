/** Sets the configuration of a test process, without a database: the same everywhere, whatever the machine has set. */
export function setEnvironment(dataDir: string): void {
  Object.assign(process.env, {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    BASE_DOMAIN: 'kafedra.localhost',
    PORT: '4321',
    LOG_LEVEL: 'silent',
    ENCODE_PRESET: 'ultrafast',
  })
  for (const name of ['SMTP_URL', 'REDIS_URL', 'SENTRY_DSN', 'WHIP_URL', 'WHEP_URL', 'ICE_SERVERS', 'AI_BASE_URL'])
    delete process.env[name]
  for (const name of Object.keys(process.env)) if (name.startsWith('S3_')) delete process.env[name]
}
