import net from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { trimEndOf } from '../shared/text/trim-end.ts'
import { iceServersOf } from './ice-servers.ts'
import { NO_PROMO_CODES, readPromoCodes } from './promo-codes.ts'

const flag = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .transform((value) => value === 'true' || value === '1')
    .default(byDefault)

const domain = z.string().regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'two or more lower-case labels, e.g. example.com')
const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })

// One address without blanks or control characters; the text before the angle brackets is the name.
function isSender(value: string): boolean {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(value.trim()) ?? []
  const address = bracketed ?? value.trim()
  const isOne = !name.includes(',') || /^\s*"[^"]*"\s*$/.test(name)
  return isOne && /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u.test(address)
}

function isNameServer(value: string): boolean {
  const [, bracketed] = /^\[(.+)\](?::\d+)?$/.exec(value) ?? []
  return net.isIP(bracketed ?? value) !== 0 || net.isIPv4(value.replace(/:\d+$/, ''))
}

const PaymentKeys = z.record(z.string(), z.record(z.string(), z.string()))

// `{"monobank": {"token": "…"}}`.
function readPaymentKeys(text: string, context: z.RefinementCtx): z.output<typeof PaymentKeys> {
  try {
    return PaymentKeys.parse(JSON.parse(text))
  } catch {
    context.addIssue({ code: 'custom', message: 'JSON of providers with their keys, e.g. {"monobank":{"token":"…"}}' })
    return z.NEVER
  }
}

function isDsn(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { username, pathname } = new URL(value)
  return username !== '' && /\/\d+$/.test(pathname)
}

export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4321),
  HOST: z.string().min(1).default('0.0.0.0'),
  BASE_DOMAIN: domain.default('kafedra.localhost'),
  PUBLIC_SCHEME: z.enum(['http', 'https']).optional(),
  PUBLIC_PORT: z.coerce.number().int().min(1).max(65535).optional(),
  TRUST_PROXY: flag(false),
  DATA_DIR: z.string().min(1).default('data'),
  DISK_RESERVE_MB: z.coerce.number().int().min(0).default(512),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'an address, or a name and <address>')
    .default('Кафедра <no-reply@kafedra.localhost>'),
  MAIL_RETURN_PATH: z
    .string()
    .regex(/^[a-z0-9._-]{1,14}@[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'an address of at most 14 characters before the @')
    .optional(),
  MAIL_REPLY_ADDRESS: z
    .string()
    .regex(/^[a-z0-9._-]{1,14}@[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'an address of at most 14 characters before the @')
    .optional(),
  MAIL_AUTHSERV_ID: z
    .string()
    .transform((text) => text.toLowerCase().match(/[^\s,]+/g) ?? [])
    .default([]),
  MAIL_INBOUND_PORT: z.coerce.number().int().min(1).max(65535).optional(),
  MAIL_INBOUND_HOST: z.string().min(1).default('0.0.0.0'),
  MAIL_INBOUND_KEY: z.string().min(1).optional(),
  MAIL_INBOUND_CERT: z.string().min(1).optional(),
  MAIL_REPORT_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  DNS_SERVERS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((server) => server !== ''))
    .refine((servers) => servers.every(isNameServer), 'IP addresses, each with an optional port')
    .default([]),
  SECRET_KEY: z.string().min(32, 'at least 32 characters').optional(),
  SENTRY_DSN: url('http:', 'https:').refine(isDsn, 'https://<key>@<host>/<number of the project>').optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  S3_ENDPOINT: url('http:', 'https:').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  OPERATOR_TOKEN: z
    .string()
    .regex(/^[\w-]{32,128}$/, '32 to 128 letters, digits, - or _')
    .optional(),
  PAYMENT_KEYS: z.string().transform(readPaymentKeys).optional(),
  PLAN_PROMO_CODES: z.string().transform(readPromoCodes).optional(),
  WHIP_URL: url('http:', 'https:').optional(),
  WHEP_URL: url('http:', 'https:').optional(),
  ICE_SERVERS: z.string().optional(),
  BROADCAST_PORT: z.coerce.number().int().min(0).max(65535).default(0),
  BROADCAST_BIND: z
    .string()
    .refine((value) => net.isIP(value) !== 0, 'an IP address of this machine')
    .optional(),
  BROADCAST_HOSTS: z.string().optional(),
  BROADCAST_VIEWERS: z.coerce.number().int().min(1).max(10_000).default(150),
  FFMPEG_PATH: z.string().optional(),
  LIBREOFFICE_PATH: z.string().optional(),
  ENCODE_AT_ONCE: z.coerce.number().int().min(1).max(16).default(1),
  ENCODE_PRESET: z.enum(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium']).default('veryfast'),
  AI_BASE_URL: url('http:', 'https:').optional(),
  AI_API_KEY: z.string().optional(),
  AI_TRANSCRIBE_MODEL: z.string().default('whisper-1'),
  AI_TEXT_MODEL: z.string().default('gpt-4o-mini'),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d{1,20}:[\w-]{30,64}$/, 'the token of a bot, <number>:<letters>')
    .optional(),
  TELEGRAM_API_URL: url('http:', 'https:').default('https://api.telegram.org'),
  JOBS_IN_PROCESS: flag(true),
  API_RATE: z.coerce.number().int().min(10).default(3000),
  STREAMS_PER_ADDRESS: z.coerce.number().int().min(10).default(1000),
  WEB_PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  REQUESTS_AT_ONCE: z.coerce.number().int().min(1).default(64),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})

export type Config = Readonly<ReturnType<typeof readConfig>>

/** Lists the invalid variables, one per line; the start script prints the message and exits. */
export class ConfigurationError extends Error {}

/**
 * Converts environment variables to the validated configuration. Empty values count as absent. Throws
 * ConfigurationError.
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigurationError(lines.join('\n'))
  }
  const env = parsed.data
  const local = env.BASE_DOMAIN.endsWith('.localhost')
  const scheme = env.PUBLIC_SCHEME ?? (local ? 'http' : 'https')
  const port = env.PUBLIC_PORT ?? (local ? env.PORT : undefined)
  const standardPort = scheme === 'https' ? 443 : 80
  return Object.freeze({
    /** The installation of a developer, which only this computer reaches: `*.localhost`. */
    isLocal: local,
    production: env.NODE_ENV === 'production',
    environment: env.NODE_ENV,
    port: env.PORT,
    host: env.HOST,
    baseDomain: env.BASE_DOMAIN,
    scheme,
    portSuffix: port === undefined || port === standardPort ? '' : `:${port}`,
    trustProxy: env.TRUST_PROXY,
    dataDir: path.resolve(env.DATA_DIR),
    /** Free bytes of the disk that uploads must not use. */
    diskReserve: env.DISK_RESERVE_MB * 1024 ** 2,
    databaseUrl: env.DATABASE_URL,
    databasePool: poolSizeOf(env),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    /** Delivery reports are sent to this address with the id of the email after a plus sign. */
    mailReturnPath: env.MAIL_RETURN_PATH,
    /** Replies to emails about messages are sent to this address with the id of the email after a plus sign. */
    mailReplyAddress: env.MAIL_REPLY_ADDRESS,
    /** Names of the mail servers whose Authentication-Results are trusted, in lower case. */
    mailAuthservIds: env.MAIL_AUTHSERV_ID,
    /** The SMTP server of the installation that receives replies; null without a port. */
    mailInbound: env.MAIL_INBOUND_PORT
      ? {
          port: env.MAIL_INBOUND_PORT,
          host: env.MAIL_INBOUND_HOST,
          keyFile: env.MAIL_INBOUND_KEY,
          certFile: env.MAIL_INBOUND_CERT,
        }
      : null,
    /** The secret that authenticates senders of delivery reports to the installation. */
    mailReportSecret: env.MAIL_REPORT_SECRET,
    /** DNS servers for the check of custom domains; those of the system when empty. */
    dnsServers: env.DNS_SERVERS,
    secretKey: env.SECRET_KEY,
    sentryDsn: env.SENTRY_DSN,
    redisUrl: env.REDIS_URL,
    s3: bucketOf(env),
    ...mediaServerOf(env),
    /** Keys of the installation at payment providers, by which schools pay for their plans. */
    paymentKeys: env.PAYMENT_KEYS ?? {},
    /** Promo codes for the plans, by their code. */
    planPromoCodes: env.PLAN_PROMO_CODES ?? NO_PROMO_CODES,
    /** The bearer token of the operator's procedures; null: they are refused. */
    operatorToken: env.OPERATOR_TOKEN ?? null,
    /** In the format of the browser (RTCIceServer). */
    iceServers: parsedIceServers(env.ICE_SERVERS),
    broadcast: {
      port: env.BROADCAST_PORT,
      bind: env.BROADCAST_BIND ?? null,
      hosts: (env.BROADCAST_HOSTS ?? '').split(/[\s,]+/).filter((host) => host !== ''),
      viewers: env.BROADCAST_VIEWERS,
    },
    ffmpegPath: env.FFMPEG_PATH,
    libreOfficePath: env.LIBREOFFICE_PATH,
    encodeAtOnce: env.ENCODE_AT_ONCE,
    encodePreset: env.ENCODE_PRESET,
    /** A service with `/audio/transcriptions` and `/chat/completions`; null hides every feature that needs it. */
    ai: env.AI_BASE_URL
      ? {
          baseUrl: trimEndOf(env.AI_BASE_URL, '/'),
          key: env.AI_API_KEY,
          transcribeModel: env.AI_TRANSCRIBE_MODEL,
          textModel: env.AI_TEXT_MODEL,
        }
      : null,
    /** The bot that sends notifications; null hides Telegram. */
    telegram: env.TELEGRAM_BOT_TOKEN
      ? { token: env.TELEGRAM_BOT_TOKEN, apiUrl: trimEndOf(env.TELEGRAM_API_URL, '/') }
      : null,
    apiRate: env.API_RATE,
    streamsPerAddress: env.STREAMS_PER_ADDRESS,
    webProcesses: env.WEB_PROCESSES,
    requestsAtOnce: env.REQUESTS_AT_ONCE,
    jobsInProcess: env.JOBS_IN_PROCESS,
    logLevel: env.LOG_LEVEL,
    /** `/dev/*` pages exist only when neither an external database nor an SMTP server is configured. */
    devPages: local && !env.DATABASE_URL && !env.SMTP_URL,
  })
}

type Environment = z.output<typeof Environment>

// The embedded server accepts 100 connections, shared by the web processes, the main process and scripts that run at
// the same time.
function poolSizeOf(env: Environment): number {
  if (env.DATABASE_URL) return env.DATABASE_POOL
  return Math.max(2, Math.min(env.DATABASE_POOL, Math.floor(80 / (env.WEB_PROCESSES + 1))))
}

// All variables or none: with an incomplete configuration files would be stored on the disk unexpectedly.
function bucketOf(env: Environment) {
  const all = {
    S3_ENDPOINT: env.S3_ENDPOINT,
    S3_BUCKET: env.S3_BUCKET,
    S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY,
  }
  const given = Object.values(all).filter((value) => value !== undefined)
  if (given.length === 0) return null
  const lacking = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (lacking.length > 0) {
    throw new ConfigurationError(lacking.map((name) => `${name}: needed by the other S3 settings`).join('\n'))
  }
  const { S3_ENDPOINT = '', S3_BUCKET = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = all
  return {
    endpoint: S3_ENDPOINT,
    region: env.S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}

function mediaServerOf({ WHIP_URL: whipUrl, WHEP_URL: whepUrl }: Environment) {
  if ((whipUrl === undefined) === (whepUrl === undefined)) return { whipUrl, whepUrl }
  const lacking = whipUrl ? 'WHEP_URL' : 'WHIP_URL'
  throw new ConfigurationError(`${lacking}: what is published on a media server is played from it too`)
}

function parsedIceServers(value: string | undefined) {
  try {
    return iceServersOf(value ?? '')
  } catch (error) {
    throw new ConfigurationError(`ICE_SERVERS: ${error instanceof Error ? error.message : error}`)
  }
}

export const config: Config = readConfig(process.env)

/** The values of these environment variables, for a child process that must not receive any others. */
export function environmentOf(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

/** Absolute address of a path on the base domain, on `go` or on a school's subdomain. */
export function addressOf(subdomain: string | null, pathname: string): string {
  const host = subdomain ? `${subdomain}.${config.baseDomain}` : config.baseDomain
  return `${config.scheme}://${host}${config.portSuffix}${pathname}`
}
