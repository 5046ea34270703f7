import { connectSubscriber } from './webrtc-clients.ts'

/*
 * Subscribers in a separate process, to be killed: `node subscriber-process.ts <url> <token> <count>`; prints a line
 * when all receive media.
 */
const [url = '', token = '', count = '1'] = process.argv.slice(2)
const watchers = await Promise.all(Array.from({ length: Number(count) }, () => connectSubscriber({ url, token })))
const seeing = setInterval(() => {
  if (!watchers.every(({ frames }) => frames > 3)) return
  clearInterval(seeing)
  process.send?.('seeing')
}, 50)
