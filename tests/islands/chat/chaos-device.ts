import { type ChatOutbox, createChatOutbox, type QueuedMessage } from '#islands/chat/chat-outbox.ts'
import type { ConversationMessage } from '#islands/chat/chat-props.ts'
import { type ConversationEvent, createConversationStore } from '#islands/chat/conversation-store.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { OutboxItem, OutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'
import { ListMessages, SendMessage } from '#lib/chat/schema.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type ChaosServer, localServer } from './chaos-server.ts'

export type Weather = 'good' | 'offline' | 'signedOut' | 'responseLost'

export interface ChaosTab {
  outbox: ChatOutbox
  store: ReturnType<typeof createConversationStore>
  /** Delivers the events since the last call, as the stream of this tab does. */
  receive(): Promise<void>
  kill(): void
}

interface DeviceOptions {
  /** The queue does not survive the tabs. */
  forgetful?: boolean
  /** The process that a tab is connected to. */
  serverOfTab?: () => ChaosServer
}

/** A device of a member with its queue of messages, which survives its tabs. */
export function createDevice(actor: Actor, conversationId: string, options: DeviceOptions = {}) {
  const { forgetful = false, serverOfTab = () => localServer } = options
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
    const result = await run()
    if (device.weather === 'responseLost') throw new CallError('unreachable', 0, '')
    return result
  }

  async function openTab(): Promise<void> {
    const server = serverOfTab()
    const list = (input: object) => server('listMessages', actor, ListMessages.parse(input))
    const { lastSeq, readSeq, otherReadSeq } = await server('getConversation', actor, { conversationId })
    const page = await list({ conversationId })
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
            const { messages, lastSeq: latest } = await list(input)
            return { messages: wired(messages), lastSeq: latest }
          }),
        markRead: (input) => call(() => server('markConversationRead', actor, input)),
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
      (message) =>
        call(async () => wired([await server('sendMessage', actor, SendMessage.parse(message))])[0] ?? failNow()),
    )
    const readEvents = (from: { position: number | null; resumeIds: number[] | null }) =>
      server('readLiveEvents', actor.tenantId, [channel], from)
    let position: number | null = (await readEvents({ position: null, resumeIds: [] })).newestId
    const tab: ChaosTab = {
      outbox,
      store,
      async receive() {
        if (device.weather === 'offline') return
        const read = await readEvents({ position, resumeIds: null }).catch(() => null)
        if (!read) return
        position = read.position
        if (read.isTruncated) reload()
        for (const { payload } of read.events) handle(JSON.parse(payload))
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
