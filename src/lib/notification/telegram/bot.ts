import { z } from 'zod'
import { config } from '#lib/core/config/config.ts'

/** What the product needs of the Telegram Bot API. */
export interface TelegramBot {
  /** Sends a message to a chat. */
  send(chatId: number, message: TelegramMessage): Promise<TelegramOutcome>
  /** Waits up to `seconds` for messages of people to the bot after `offset`. */
  readUpdates(offset: number, seconds: number, signal: AbortSignal): Promise<TelegramUpdate[]>
  /** The name of the bot in links, or null when Telegram does not respond. */
  readName(): Promise<string | null>
}

export interface TelegramMessage {
  text: string
  button?: { label: string; url: string }
}

export type TelegramOutcome =
  | { outcome: 'sent' }
  /** The person has blocked the bot, or the chat does not exist any more. */
  | { outcome: 'blocked' }
  | { outcome: 'refused'; error: string }
  | { outcome: 'failed'; error: string; retryAfterMs?: number }

const Update = z.object({
  update_id: z.number().int(),
  message: z
    .object({
      text: z.string().optional(),
      chat: z.object({ id: z.number().int(), type: z.string() }),
      from: z.object({ first_name: z.string().default(''), username: z.string().optional() }).optional(),
    })
    .optional(),
})
export type TelegramUpdate = z.output<typeof Update>

const Answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().default(''),
  error_code: z.number().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
})

const SEND_TIMEOUT_MS = 10_000

/** The bot of the installation, or null without a token. */
export function telegramBot(): TelegramBot | null {
  return config.telegram ? createBot(config.telegram) : null
}

/** A client of the Bot API with a token. */
export function createBot({ token, apiUrl }: { token: string; apiUrl: string }): TelegramBot {
  const call = async (method: string, body: object, signal: AbortSignal) => {
    const response = await fetch(`${apiUrl}/bot${token}/${method}`, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    return Answer.parse(await response.json())
  }
  return {
    async send(chatId, message) {
      try {
        return outcomeOf(await call('sendMessage', bodyOf(chatId, message), AbortSignal.timeout(SEND_TIMEOUT_MS)))
      } catch (error) {
        return { outcome: 'failed', error: withoutToken(error, token) }
      }
    },
    async readUpdates(offset, seconds, signal) {
      const timeout = AbortSignal.timeout(seconds * 1000 + SEND_TIMEOUT_MS)
      const body = { offset, timeout: seconds, allowed_updates: ['message'], limit: 100 }
      const { ok, result, description } = await call('getUpdates', body, AbortSignal.any([signal, timeout]))
      if (!ok) throw new Error(`getUpdates: ${description}`)
      return z.array(Update).parse(result)
    },
    async readName() {
      const answer = await call('getMe', {}, AbortSignal.timeout(SEND_TIMEOUT_MS)).catch(() => null)
      const parsed = z.object({ username: z.string() }).safeParse(answer?.result)
      return parsed.success ? parsed.data.username : null
    },
  }
}

function bodyOf(chatId: number, { text, button }: TelegramMessage) {
  return {
    chat_id: chatId,
    text,
    link_preview_options: { is_disabled: true },
    ...(button && { reply_markup: { inline_keyboard: [[{ text: button.label, url: button.url }]] } }),
  }
}

function outcomeOf({ ok, error_code: code = 0, description, parameters }: z.output<typeof Answer>): TelegramOutcome {
  if (ok) return { outcome: 'sent' }
  const error = `${code} ${description}`.slice(0, 300)
  if (code === 403 || (code === 400 && /chat not found/i.test(description))) return { outcome: 'blocked' }
  if (code !== 429 && code < 500) return { outcome: 'refused', error }
  const seconds = parameters?.retry_after
  return { outcome: 'failed', error, ...(seconds && { retryAfterMs: seconds * 1000 }) }
}

// The address contains the token.
const withoutToken = (error: unknown, token: string): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(token, '…')
