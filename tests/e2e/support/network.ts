import type { BrowserContext, Page } from '@playwright/test'
import { openRelay, type Relay } from '../../setup/media/relay.ts'

/** Routes all WebRTC traffic of the context's pages through a relay, which is closed with the context. */
export async function connectThroughRelay(context: BrowserContext): Promise<Relay> {
  const relay = openRelay()
  context.on('close', () => relay.close())
  await context.exposeFunction('throughRelay', relay.through)
  await context.addInitScript(() => {
    const lines: RTCPeerConnection[] = []
    Reflect.set(window, 'lines', lines)
    const connection = RTCPeerConnection.prototype
    const { setRemoteDescription } = connection
    const described = Object.getOwnPropertyDescriptor(connection, 'localDescription')?.get
    connection.setRemoteDescription = async function ({ type, sdp }) {
      lines.push(this)
      return Reflect.apply(setRemoteDescription, this, [{ type, sdp: await Reflect.get(window, 'throughRelay')(sdp) }])
    }
    // Without own candidates the server can reach this browser only through the relay.
    Object.defineProperty(connection, 'localDescription', {
      get(this: RTCPeerConnection): RTCSessionDescriptionInit | null {
        const own: RTCSessionDescription | null = described?.call(this) ?? null
        return own && { type: own.type, sdp: own.sdp.replace(/^a=candidate:.*\r\n/gm, '') }
      },
    })
  })
  return relay
}

/** Returns video statistics of the newest connection of a page. */
export const readVideoStats = (page: Page) =>
  page.evaluate(async () => {
    const line: RTCPeerConnection = Reflect.get(window, 'lines').at(-1)
    const all = [...(await line.getStats()).values()]
    const { nackCount, packetsLost, packetsReceived } = all.find(
      (stats) => stats.type === 'inbound-rtp' && stats.kind === 'video',
    )
    return { asked: Number(nackCount), lost: Number(packetsLost), packets: Number(packetsReceived) }
  })

/** Returns the number of connections that a page has opened. */
export const countConnections = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(window, 'lines').length)

/** Cuts the network: both the relay and the requests of the pages. */
export async function loseNetwork(context: BrowserContext, relay: Relay): Promise<void> {
  relay.setConditions({ isCut: true })
  await context.setOffline(true)
}

export async function restoreNetwork(context: BrowserContext, relay: Relay): Promise<void> {
  relay.setConditions({ isCut: false })
  await context.setOffline(false)
}
