import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { CallError } from '#islands/stores/call-error.ts'
import { getConversation } from '#lib/chat/chat.ts'
import { listMessages } from '#lib/chat/message/messages.ts'
import { markConversationRead } from '#lib/chat/message/read.ts'
import { sendMessage } from '#lib/chat/message/send.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { readLiveEvents } from '#lib/core/live/live-events.ts'

/** The domain functions of a device, in this process or in another one. Input is parsed. */
export const FUNCTIONS = { getConversation, listMessages, markConversationRead, sendMessage, readLiveEvents }
type Functions = typeof FUNCTIONS
export type FunctionName = keyof Functions

/** Rejects with CallError, as the API client does. */
export type ChaosServer = <Name extends FunctionName>(
  name: Name,
  ...args: Parameters<Functions[Name]>
) => ReturnType<Functions[Name]>

export const localServer = ((name: FunctionName, ...args: unknown[]) =>
  run(name, args).catch((error: unknown) => {
    throw error instanceof Refusal ? new CallError(error.code, error.status, '') : error
  })) as ChaosServer

const run = (name: FunctionName, args: unknown[]): Promise<unknown> => Reflect.apply(FUNCTIONS[name], null, args)

/** A request to another process, and its answer. */
export interface ChaosRequest {
  id: number
  name: FunctionName
  args: unknown[]
}
export type ChaosAnswer =
  | { id: number; result: unknown }
  | { id: number; refusal: { code: string; status: number } }
  | { id: number; failure: string }

export interface ServerProcess {
  call: ChaosServer
  /** Ends the process in the middle of its work, and starts another one. Resolves when that one is ready. */
  kill(): Promise<void>
  close(): void
}

/** Starts a process with its own connections to the database of this test file. */
export async function startServerProcess(): Promise<ServerProcess> {
  let child: ChildProcess
  let count = 0
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  const unreachable = () => new CallError('unreachable', 0, '')

  function start(): Promise<void> {
    const file = path.join(import.meta.dirname, 'chaos-process.ts')
    const started = fork(file, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child = started
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    started.on('message', (message: ChaosAnswer | 'ready') => {
      if (message === 'ready') return resolve()
      const waiting = pending.get(message.id)
      pending.delete(message.id)
      if ('result' in message) waiting?.resolve(message.result)
      else if ('refusal' in message) waiting?.reject(new CallError(message.refusal.code, message.refusal.status, ''))
      else waiting?.reject(new Error(message.failure))
    })
    started.on('exit', () => reject(new Error('the process ended before it was ready')))
    return promise
  }
  function end(): void {
    child.kill('SIGKILL')
    for (const waiting of pending.values()) waiting.reject(unreachable())
    pending.clear()
  }
  const call = (name: FunctionName, ...args: unknown[]) => {
    if (!child.connected) return Promise.reject(unreachable())
    const id = ++count
    const waiting = Promise.withResolvers<unknown>()
    pending.set(id, waiting)
    const request: ChaosRequest = { id, name, args }
    child.send(request, (error) => {
      if (error && pending.delete(id)) waiting.reject(unreachable())
    })
    return waiting.promise
  }
  await start()
  return {
    call: call as ChaosServer,
    async kill() {
      end()
      await start()
    },
    close: end,
  }
}
