import type { StoredPage } from '../http/page-cache.ts'

/** The messages between the processes of one `npm start`, by topic. */
interface PeerTopics {
  /** API calls that callers have made in another process. */
  'api.calls': readonly (readonly [caller: string, count: number])[]
  /** A public page was rendered and compressed. */
  'page.stored': StoredPage
  /** What public pages show has changed: cached ones are removed. */
  'pages.outdated': null
  /** A participant's stream tokens were revoked, at a time in milliseconds since 1970. */
  'stream.revoked': {
    participant: { room: string; participant: string }
    scope: { isPublishingOnly?: boolean; stream?: string | null }
    revokedAt: number
  }
  /** A room has a publisher; the main process keeps its stage consistent with its streams. */
  'stream.room': { tenantId: string; sessionId: string }
  /** A part of an upload is received again: an earlier transfer of it stops. */
  'upload.part': string
}

export type PeerMessage = {
  [Topic in keyof PeerTopics]: { topic: Topic; value: PeerTopics[Topic]; expiresAt: number }
}[keyof PeerTopics]

type Listener = (value: never) => void

interface Peers {
  send: ((message: PeerMessage) => void) | null
  listeners: Map<string, Set<Listener>>
  /** Recent messages for listeners and processes that are added later. */
  recentMessages: PeerMessage[]
}

// The bundle of the pages and the HTTP server load this file twice in one process.
declare global {
  var kafedraPeers: Peers | undefined
}

/** Connects this process with the others. Before that messages are not sent. */
export function connectPeers(send: (message: PeerMessage) => void): void {
  peers().send = send
}

/** Whether this process is one of several of the same `npm start`. */
export const hasPeers = (): boolean => peers().send !== null

/**
 * Sends a message to all other processes, in order and without waiting. A process that starts within `keepMs` receives
 * it too.
 */
export function sendToPeers<Topic extends keyof PeerTopics>(
  topic: Topic,
  value: PeerTopics[Topic],
  { keepMs = 0 }: { keepMs?: number } = {},
): void {
  const { send } = peers()
  if (!send) return
  const message = { topic, value, expiresAt: keepMs > 0 ? Date.now() + keepMs : 0 } as PeerMessage
  storeRecentMessage(message)
  send(message)
}

/** Calls the listener with the messages of other processes, including recent ones. */
export function onPeerMessage<Topic extends keyof PeerTopics>(
  topic: Topic,
  listener: (value: PeerTopics[Topic]) => void,
): void {
  const { listeners } = peers()
  listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener as Listener))
  for (const message of recentPeerMessages()) if (message.topic === topic) listener(message.value as PeerTopics[Topic])
}

/** Removes the cached public pages of all processes of this `npm start`, because what they show has changed. */
export function clearPageCaches(): void {
  receivePeerMessage({ topic: 'pages.outdated', value: null, expiresAt: 0 })
  sendToPeers('pages.outdated', null)
}

/** Passes a message of another process to the listeners of this one. */
export function receivePeerMessage(message: PeerMessage): void {
  storeRecentMessage(message)
  for (const listener of peers().listeners.get(message.topic) ?? []) listener(message.value as never)
}

/** The recent messages, to be sent to a process that starts now. */
export function recentPeerMessages(): PeerMessage[] {
  const now = Date.now()
  peers().recentMessages = peers().recentMessages.filter(({ expiresAt }) => expiresAt > now)
  return peers().recentMessages
}

function storeRecentMessage(message: PeerMessage): void {
  if (message.expiresAt > 0) peers().recentMessages = [...recentPeerMessages(), message]
}

function peers(): Peers {
  globalThis.kafedraPeers ??= { send: null, listeners: new Map(), recentMessages: [] }
  return globalThis.kafedraPeers
}
