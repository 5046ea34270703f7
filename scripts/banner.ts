import path from 'node:path'
import { addressOf, type Config } from '#lib/core/config/config.ts'
import { clusterDirOf } from '#lib/core/db/embedded-place.ts'

const PASSWORD = 'Kafedra-2026!'
const ROLES = 'owner director expert curator presenter moderator mentor member student'

/**
 * The text that the start script prints after the start. `demoSubdomains` are the existing tenants of the demo; without
 * any tenant (`isEmpty`) it explains how the first owner registers.
 */
export function banner(config: Config, demoSubdomains: readonly string[], seconds: number, isEmpty = false): string {
  const rows: [string, string][] = [['Початок · Home', addressOf(null, '/')]]
  if (demoSubdomains.includes('demo')) rows.push(['Школа · School', addressOf('demo', '/login')])
  if (demoSubdomains.includes('sonata')) rows.push(['Друга школа · 2nd', addressOf('sonata', '/login')])
  if (isEmpty) rows.push(...firstOwnerRows(config))
  rows.push(['Студенти · Students', addressOf('go', '/login')])
  if (config.devPages) rows.push(['Пошта · Outbox', addressOf(null, '/dev/outbox')])
  if (demoSubdomains.includes('demo')) {
    rows.push(['Вхід · Sign in', `${ROLES.split(' ').slice(0, 5).join(', ')},`])
    rows.push(['', `${ROLES.split(' ').slice(5).join(', ')} @kafedra.test`])
    if (demoSubdomains.includes('sonata')) rows.push(['', 'owner, student @sonata.test'])
    rows.push(['Пароль · Password', PASSWORD])
  }
  rows.push(['Дані · Data', config.dataDir])
  const databaseDir = config.databaseUrl ? '' : clusterDirOf(config.dataDir)
  if (databaseDir && !databaseDir.startsWith(config.dataDir)) rows.push(['База · Database', databaseDir])
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const title = `Кафедра працює · Kafedra is up (${seconds.toFixed(1)} s). Ctrl-C — кінець · stop`
  return ['', `  ${title}`, '', ...rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`), ''].join('\n')
}

function firstOwnerRows({ devPages, smtpUrl, dataDir }: Config): [string, string][] {
  const outbox = devPages ? addressOf(null, '/dev/outbox') : path.join(dataDir, 'outbox')
  return [
    ['Перший власник · First owner', addressOf(null, '/register')],
    ['', 'Зареєструйте школу й підтвердьте пошту кодом · Register a school and confirm the email by its code'],
    smtpUrl
      ? ['', 'Код прийде листом через SMTP_URL · The code is sent through SMTP_URL']
      : ['', `SMTP_URL не задано, тож лист із кодом буде тут · No SMTP_URL, so find the email here: ${outbox}`],
  ]
}
