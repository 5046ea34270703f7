import type { BrowserContext } from '@playwright/test'
import { openRelay, type Relay } from '../../setup/relay.ts'

/** Whatever the pages of this context publish and play by WebRTC passes a relay from now on, which goes with it. */
export async function throughRelay(context: BrowserContext): Promise<Relay> {
  const relay = openRelay()
  context.on('close', () => relay.close())
  await context.exposeFunction('throughRelay', relay.through)
  await context.addInitScript(() => {
    const connection = RTCPeerConnection.prototype
    const { setRemoteDescription } = connection
    const described = Object.getOwnPropertyDescriptor(connection, 'localDescription')?.get
    connection.setRemoteDescription = async function ({ type, sdp }) {
      return setRemoteDescription.call(this, { type, sdp: await Reflect.get(window, 'throughRelay')(sdp) })
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
