import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { log } from '#lib/core/log.ts'
import { DEFAULT_LOCALE } from '#lib/core/shared/locale.ts'
import { type TelegramBot, type TelegramUpdate, telegramBot } from './bot.ts'
import { linkTelegramChat } from './link.ts'

const RUN_MS = 55_000
const POLL_SECONDS = 20

/**
 * Reads what people write to the bot, for about a minute; the job runs every minute. Telegram repeats an update until a
 * higher offset is requested, so that an update is not lost when the process ends; a code is used once.
 */
export async function readTelegramUpdates(
  signal: AbortSignal,
  bot: TelegramBot | null = telegramBot(),
  runMs = RUN_MS,
): Promise<void> {
  if (!bot) return
  const end = Date.now() + runMs
  let offset = 0
  while (Date.now() < end && !signal.aborted) {
    const seconds = Math.min(POLL_SECONDS, Math.max(0, Math.floor((end - Date.now()) / 1000)))
    const updates = await bot.readUpdates(offset, seconds, signal).catch((error: Error) => {
      if (!signal.aborted) log.warn({ error: error.name }, 'Telegram does not respond')
      return null
    })
    if (!updates) return
    for (const update of updates) {
      await handleUpdate(bot, update)
      offset = update.update_id + 1
    }
  }
  if (offset > 0 && !signal.aborted) await bot.readUpdates(offset, 0, signal).catch(() => [])
}

async function handleUpdate(bot: TelegramBot, { message }: TelegramUpdate): Promise<void> {
  if (message?.chat.type !== 'private') return
  const t = getTranslator(DEFAULT_LOCALE)
  const [, parameter = ''] = /^\/start ([\w-]{1,64})$/.exec(message.text ?? '') ?? []
  const { first_name: firstName = '', username } = message.from ?? {}
  const name = username ? `@${username}` : firstName
  const isLinked = parameter !== '' && (await linkTelegramChat({ parameter, chatId: message.chat.id, name }))
  await bot.send(message.chat.id, {
    text: t(isLinked ? 'notification:telegram.linked' : 'notification:telegram.unknown'),
  })
}
