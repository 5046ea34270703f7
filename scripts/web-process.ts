import type { FromMain, ToMain } from '#lib/core/processes/web-processes.ts'
import { ROOT } from './build-stamp.ts'
import { type Closers, closeOnSignals, configureEngine, connectDatabase, loadConfig } from './launch.ts'
import { reasonOf } from './reason.ts'
import { serve } from './serve.ts'

/*
 * One of several web processes (WEB_PROCESSES). The main process starts it; see src/lib/core/processes/web-processes.ts.
 */
process.chdir(ROOT)
configureEngine()
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')

try {
  await connectToMain()
  await connectDatabase(closers)
  const front = await serve(config, closers)
  closers.push(() => front.drain(10_000))
  settled()
  const { captureConsole } = await import('#lib/core/log.ts')
  captureConsole()
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}

async function connectToMain(): Promise<void> {
  const { connectPeers, receivePeerMessage } = await import('#lib/core/processes/peers.ts')
  const { connectRemoteMediaProcess } = await import('#lib/core/broadcast/broadcast.ts')
  // While this process is shutting down, its messages are not awaited.
  const send = (message: ToMain) => process.send?.(message, undefined, undefined, () => {})
  connectPeers((peer) => send({ peer }))
  const receiveResponse = connectRemoteMediaProcess(send)
  process.on('message', (message: FromMain) => {
    if ('peer' in message) receivePeerMessage(message.peer)
    else if ('mediaRequestId' in message) receiveResponse(message)
  })
}
