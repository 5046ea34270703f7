import type { BrowserContext, Page } from '@playwright/test'
import { openRelay, type Relay } from '../../setup/media/relay.ts'

/** Whatever the pages of this context publish and play by WebRTC passes a relay from now on, which goes with it. */
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
    // The server shall find this browser at the relay only.
    Object.defineProperty(connection, 'localDescription', {
      get(this: RTCPeerConnection): RTCSessionDescriptionInit | null {
        const own: RTCSessionDescription | null = described?.call(this) ?? null
        return own && { type: own.type, sdp: own.sdp.replace(/^a=candidate:.*\r\n/gm, '') }
      },
    })
  })
  return relay
}

/** What the newest connection of a page has received of a picture. */
export const readVideoStats = (page: Page) =>
  page.evaluate(async () => {
    const line: RTCPeerConnection = Reflect.get(window, 'lines').at(-1)
    const all = [...(await line.getStats()).values()]
    const { nackCount, packetsLost, packetsReceived } = all.find(
      (one) => one.type === 'inbound-rtp' && one.kind === 'video',
    )
    return { asked: Number(nackCount), lost: Number(packetsLost), packets: Number(packetsReceived) }
  })

/** How many connections a page has made. */
export const countConnections = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(window, 'lines').length)

/** Nothing comes and nothing goes, neither by the relay nor by the page's own requests. */
export async function loseNetwork(context: BrowserContext, relay: Relay): Promise<void> {
  relay.change({ cut: true })
  await context.setOffline(true)
}

export async function restoreNetwork(context: BrowserContext, relay: Relay): Promise<void> {
  relay.change({ cut: false })
  await context.setOffline(false)
}
