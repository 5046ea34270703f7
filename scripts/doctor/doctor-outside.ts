import dgram from 'node:dgram'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { addressOf, type Config } from '#lib/core/config/config.ts'
import { createBucketOpener } from '#lib/core/files/s3/s3-bucket.ts'

/** Severity, subject, result and advice. */
export type Finding = [level: 'ok' | 'warn' | 'fail', name: string, words: string]

const STORE = 'Сховище · Store'

/** Checks the external services in the configuration. */
export async function checkOutside(config: Config): Promise<Finding[]> {
  const checks = [
    address(config),
    ffmpeg(config),
    libreOffice(config),
    mail(config),
    config.s3 ? bucket(config.s3, addressOf(null, '').replace(/\/$/, '')) : disk(config.dataDir),
  ]
  checks.push(config.whipUrl && config.whepUrl ? mediaServer(config.whipUrl, config.whepUrl) : mediaPlane(config))
  if (config.redisUrl) checks.push(redis(config.redisUrl))
  if (config.ai) checks.push(language(config.ai))
  return Promise.all(checks)
}

async function address({ baseDomain, scheme, trustProxy }: Config): Promise<Finding> {
  const name = 'Адреса · Address'
  if (baseDomain.endsWith('.localhost')) {
    return [
      'warn',
      name,
      `${baseDomain}: лише з цього комп’ютера; для всіх задайте BASE_DOMAIN · this computer only, set BASE_DOMAIN`,
    ]
  }
  if (scheme === 'https' && !trustProxy) {
    return ['warn', name, 'за TLS-проксі потрібно TRUST_PROXY=true · behind a TLS proxy set TRUST_PROXY=true']
  }
  return ['ok', name, `${baseDomain}, *.${baseDomain}`]
}

async function ffmpeg({ ffmpegPath }: Config): Promise<Finding> {
  const name = 'ffmpeg'
  const { inspectEncoder: look } = await import('#lib/core/media/encoder.ts')
  try {
    const { version, sandbox: confines } = await look(ffmpegPath)
    const open = [
      ...(confines.network ? [] : ['мережу · network (unshare)']),
      ...(confines.memory ? [] : ['пам’ять · memory (prlimit)']),
      ...(confines.endsWithParent ? [] : ['кінець разом із процесом · an end with the process (setpriv)']),
    ]
    const short = version.replace(/^ffmpeg version (\S+).*/, '$1')
    if (open.length === 0) return ['ok', name, short]
    return ['warn', name, `${short}; система не дає обмежити · the system cannot limit: ${open.join(', ')}`]
  } catch (error) {
    if (ffmpegPath) return ['fail', name, `FFMPEG_PATH ${ffmpegPath}: ${messageOf(error).split('\n')[0]}`]
    return [
      'warn',
      name,
      'немає: відео чекатимуть у черзі, а показуються як є · absent: videos wait in the queue, and play as they are; apt-get install ffmpeg',
    ]
  }
}

async function libreOffice({ libreOfficePath }: Config): Promise<Finding> {
  const name = 'LibreOffice'
  const { inspectConverter } = await import('#lib/core/media/office-converter.ts')
  try {
    return ['ok', name, (await inspectConverter(libreOfficePath)).version.replace(/^LibreOffice /, '')]
  } catch (error) {
    if (libreOfficePath)
      return ['fail', name, `LIBREOFFICE_PATH ${libreOfficePath}: ${messageOf(error).split('\n')[0]}`]
    return [
      'warn',
      name,
      'немає: презентації треба зберігати як PDF · absent: presentations have to be saved as PDF; apt-get install libreoffice-impress',
    ]
  }
}

const MEDIA = 'Наживо · Live media'

// A port in use may be used by the running installation itself.
async function mediaPlane({ broadcast, baseDomain, iceServers }: Config): Promise<Finding> {
  const { port, bind, hosts, viewers } = broadcast
  try {
    await import('node-datachannel')
  } catch (error) {
    return ['fail', MEDIA, `node-datachannel: ${messageOf(error)}; npm ci`]
  }
  const bindError = port === 0 ? null : await udpFault(port, bind)
  if (bindError === 'EADDRINUSE') {
    return ['warn', MEDIA, `UDP ${port}: зайнятий; добре, якщо це сама Кафедра · taken, fine if by Kafedra itself`]
  }
  if (bindError) return ['fail', MEDIA, `BROADCAST_PORT ${port}, BROADCAST_BIND ${bind ?? '*'}: ${bindError}`]
  const found = `UDP ${port || '*'}, ${hosts.join(', ') || 'адреси цієї машини · this machine’s addresses'}, ${viewers}`
  if (baseDomain.endsWith('.localhost')) return ['ok', MEDIA, found]
  if (port === 0) {
    return ['warn', MEDIA, 'задайте BROADCAST_PORT, відкритий у брандмауері · set one that the firewall lets through']
  }
  const turn = iceServers.some(({ urls }) => urls.some((url) => url.startsWith('turn')))
  if (turn) return ['ok', MEDIA, found]
  return [
    'warn',
    MEDIA,
    `${found}; без TURN в ICE_SERVERS не всі побачать наживо · without TURN not everybody sees it live`,
  ]
}

// Any response means that the server is available.
async function mediaServer(...urls: string[]): Promise<Finding> {
  const hosts = [...new Set(urls.map((url) => new URL(url).origin))]
  try {
    for (const host of hosts) await fetch(host, { method: 'OPTIONS', signal: AbortSignal.timeout(5000) })
    return ['ok', MEDIA, `WHIP, WHEP: ${hosts.join(', ')}`]
  } catch (error) {
    return ['fail', MEDIA, `WHIP_URL, WHEP_URL ${hosts.join(', ')}: ${messageOf(error)}`]
  }
}

function udpFault(port: number, bind: string | null): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket('udp4')
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.bind(port, bind ?? '0.0.0.0', () => socket.close(() => resolve(null)))
  })
}

async function mail({ smtpUrl, devPages, dataDir }: Config): Promise<Finding> {
  const name = 'Пошта · Mail'
  if (!smtpUrl) {
    const where = devPages ? '/dev/outbox' : path.join(dataDir, 'outbox')
    return [
      'warn',
      name,
      `листи лишаються тут: ${where}; щоб надсилати, задайте SMTP_URL · letters stay here, set SMTP_URL to send`,
    ]
  }
  const timeouts = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000 }
  const transport = createTransport({ url: smtpUrl, ...timeouts })
  try {
    await transport.verify()
    return ['ok', name, new URL(smtpUrl).host]
  } catch (error) {
    return ['fail', name, `SMTP_URL ${new URL(smtpUrl).host}: ${messageOf(error)}`]
  } finally {
    transport.close()
  }
}

async function disk(dataDir: string): Promise<Finding> {
  const probe = path.join(dataDir, `.doctor-${process.pid}`)
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    fs.writeFileSync(probe, 'ok')
    fs.rmSync(probe)
    const { bavail, bsize } = fs.statfsSync(dataDir)
    const free = Math.floor((bavail * bsize) / 1e9)
    return [free < 1 ? 'warn' : 'ok', STORE, `${dataDir}, вільно · free ${free} GB`]
  } catch (error) {
    return ['fail', STORE, `DATA_DIR ${dataDir}: ${messageOf(error)}`]
  }
}

// Requested with a signature, as by the server; then as by a browser before it uploads a part.
async function bucket(place: NonNullable<Config['s3']>, origin: string): Promise<Finding> {
  const where = `${place.endpoint.replace(/\/$/, '')}/${place.bucket}`
  try {
    const { client, sdk } = await createBucketOpener(place)()
    await client.send(new sdk.HeadBucketCommand({ Bucket: place.bucket }), { abortSignal: AbortSignal.timeout(8000) })
  } catch (error) {
    const advice = 'перевірте S3_* · check the S3 settings'
    return ['fail', STORE, `${where}: ${messageOf(error)}; ${advice}`]
  }
  const asks = { Origin: origin, 'Access-Control-Request-Method': 'PUT' }
  const answer = await fetch(`${where}/cors`, { method: 'OPTIONS', headers: asks, signal: AbortSignal.timeout(8000) })
  const allowed = answer.headers.get('access-control-allow-origin')
  if (answer.ok && (allowed === '*' || allowed === origin)) return ['ok', STORE, where]
  const advice = 'дозвольте CORS, див. docs/deployment.md · allow CORS, see docs/deployment.md'
  return ['fail', STORE, `${where}: браузер з ${origin} не зможе завантажувати; ${advice}`]
}

function redis(url: string): Promise<Finding> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port || 6379), timeout: 5000 })
    const end = (finding: Finding) => {
      socket.destroy()
      resolve(finding)
    }
    socket.on('connect', () => end(['ok', 'Redis', hostname]))
    socket.on('timeout', () => end(['fail', 'Redis', `REDIS_URL ${hostname}: мовчить · no answer`]))
    socket.on('error', (error) => end(['fail', 'Redis', `REDIS_URL ${hostname}: ${messageOf(error)}`]))
  })
}

async function language({ baseUrl, key, transcribeModel, textModel }: NonNullable<Config['ai']>): Promise<Finding> {
  const name = 'Мовний сервіс · Language service'
  const { host } = new URL(baseUrl)
  try {
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const options = { headers, redirect: 'error', signal: AbortSignal.timeout(5000) } as const
    const { status } = await fetch(`${baseUrl}/models`, options)
    if (status === 401 || status === 403) return ['fail', name, `AI_API_KEY: ${host} його не приймає · refused`]
    if (status >= 500) return ['fail', name, `AI_BASE_URL ${host}: ${status}`]
    return ['ok', name, `${host}: ${transcribeModel}, ${textModel}`]
  } catch (error) {
    return ['fail', name, `AI_BASE_URL ${host}: ${messageOf(error)}`]
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message || error.name
}
