import { connectSubscriber } from './webrtc-clients.ts'

/*
 * Viewers in a process of their own, to be killed: `node watchers.ts <url> <token> <how many>`; says when all see.
 */
const [url = '', token = '', count = '1'] = process.argv.slice(2)
const watchers = await Promise.all(Array.from({ length: Number(count) }, () => connectSubscriber({ url, token })))
const seeing = setInterval(() => {
  if (!watchers.every(({ frames }) => frames > 3)) return
  clearInterval(seeing)
  process.send?.('seeing')
}, 50)
