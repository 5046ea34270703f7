import { type ChatOutbox, createChatOutbox, type QueuedMessage } from '#islands/chat/chat-outbox.ts'
import type { ConversationMessage } from '#islands/chat/chat-props.ts'
import { type ConversationEvent, createConversationStore } from '#islands/chat/conversation-store.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { OutboxItem, OutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'
import { getConversation } from '#lib/chat/chat.ts'
import { markConversationRead } from '#lib/chat/message/read.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { readLiveEvents } from '#lib/core/live/live-events.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listMessages, sendMessage } from '../../setup/chat/parsed-chat.ts'

export type Weather = 'good' | 'offline' | 'signedOut' | 'responseLost'

export interface ChaosTab {
  outbox: ChatOutbox
  store: ReturnType<typeof createConversationStore>
  /** Delivers the events since the last call, as the stream of this tab does. */
  receive(): Promise<void>
  kill(): void
}

/** A device of a member with its queue of messages, which survives its tabs. */
export function createDevice(actor: Actor, conversationId: string, { forgetful = false } = {}) {
  const stored = new Map<string, OutboxItem<QueuedMessage>>()
  const device = { actor, weather: 'good' as Weather, tabs: [] as ChaosTab[] }
  const storage: OutboxStorage<QueuedMessage> = {
    loadItems: async () =>
      [...stored.values()]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((item) => ({ ...item, state: 'waiting', cause: null, reason: null, dueAt: 0 })),
    put: async (item) => void (forgetful || stored.set(item.id, item)),
    remove: async (id) => void stored.delete(id),
  }

  async function call<T>(run: () => Promise<T>): Promise<T> {
    await Promise.resolve()
    if (device.weather === 'offline') throw new CallError('unreachable', 0, '')
    if (device.weather === 'signedOut') throw new CallError('unauthorized', 401, '')
    const result = await run().catch(rethrowAsCallError)
    if (device.weather === 'responseLost') throw new CallError('unreachable', 0, '')
    return result
  }

  async function openTab(): Promise<void> {
    const { lastSeq, readSeq, otherReadSeq } = await getConversation(actor, { conversationId })
    const page = await listMessages(actor, { conversationId })
    let handle: (event: ConversationEvent) => void = () => {}
    let reload = () => {}
    const store = createConversationStore(
      {
        conversationId,
        memberId: actor.membershipId,
        window: { messages: wired(page.messages), lastSeq },
        otherReadSeq,
        readSeq,
      },
      {
        listMessages: (input) =>
          call(async () => {
            const { messages, lastSeq: latest } = await listMessages(actor, input)
            return { messages: wired(messages), lastSeq: latest }
          }),
        markRead: (input) => call(() => markConversationRead(actor, input)),
        subscribe(_channel, onEvent, onReset) {
          handle = onEvent
          reload = onReset
          return () => {}
        },
      },
    )
    const disconnect = store.connect()
    const outbox = createChatOutbox(
      actor.membershipId,
      { onChange: () => {}, onSent: (message) => store.add(message) },
      storage,
      (message) => call(async () => wired([await sendMessage(actor, message)])[0] ?? failNow()),
    )
    let position = (await readLiveEvents(actor.tenantId, [channel], { position: null, resumeIds: [] })).newestId
    const tab: ChaosTab = {
      outbox,
      store,
      async receive() {
        if (device.weather === 'offline') return
        const {
          events,
          isTruncated,
          position: next,
        } = await readLiveEvents(actor.tenantId, [channel], {
          position,
          resumeIds: null,
        })
        position = next
        if (isTruncated) reload()
        for (const { payload } of events) handle(JSON.parse(payload))
      },
      kill() {
        disconnect()
        outbox.close()
        device.tabs = device.tabs.filter((other) => other !== tab)
      },
    }
    // The page missed what was published between its rendering and the beginning of its stream.
    reload()
    device.tabs.push(tab)
  }
  const channel = `conversation:${conversationId}`
  return Object.assign(device, { openTab, stored })
}
export type ChaosDevice = ReturnType<typeof createDevice>

// As the API sends them: instants are strings.
const wired = (messages: unknown): ConversationMessage[] => JSON.parse(JSON.stringify(messages))

function failNow(): never {
  throw new Error('no message was returned')
}

function rethrowAsCallError(error: unknown): never {
  if (error instanceof Refusal) throw new CallError(error.code, error.status, '')
  throw error
}
