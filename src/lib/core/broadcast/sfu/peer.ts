import ndc, { type PeerConnection, type RtcConfig } from 'node-datachannel'
import { BadOffer, withoutTrickle } from './sdp.ts'

/*
 * One connection to a browser, whichever way it carries. node-datachannel aborts the process when a worker thread that
 * used it ends, so this runs in a child process only.
 */

export interface Net {
  /** The one UDP port of all connections. */
  port: number
  bind: string | null
  /** Addresses to tell instead of this machine's own. */
  hosts: readonly string[]
}

export interface Peer {
  readonly connection: PeerConnection
  /** Sets the offer and gives the answer once all addresses are gathered. Throws BadOffer for an offer that libdatachannel does not take. */
  answer(offer: string): Promise<string>
  end(): void
}

/**
 * Whoever was heard and then is silent for so long, in ms, is gone: ICE's own consent (RFC 7675) takes half a minute to
 * run out, and a place is worth more. A network lost for a few seconds ends nobody.
 */
export const SILENCE = 20_000

/** How long a client may take from its answer to being connected. */
const TO_CONNECT = 15_000
const TO_GATHER = 1000
const OWN_FAULT = /Failed to gather local ICE candidates/
const OVER = new Set(['disconnected', 'failed', 'closed'])

/** A connection on the shared port; `onEnd` is called once, however it ends. */
export function openPeer(name: string, net: Net, onEnd: () => void): Peer {
  const connection = new ndc.PeerConnection(name, configOf(net))
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    clearTimeout(late)
    onEnd()
    connection.close()
  }
  const late = setTimeout(end, TO_CONNECT)
  connection.onStateChange((state) => {
    if (state === 'connected') clearTimeout(late)
    if (OVER.has(state)) end()
  })

  async function answer(offer: string): Promise<string> {
    const gathered = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TO_GATHER)
      connection.onGatheringStateChange((state) => {
        if (state !== 'complete') return
        clearTimeout(timer)
        resolve()
      })
    })
    try {
      connection.setRemoteDescription(offer, 'offer')
    } catch (error) {
      // The library's own trouble with a port, which now and then passes: the offer is as good as before, so it is sent again.
      if (error instanceof Error && OWN_FAULT.test(error.message)) throw error
      throw new BadOffer('invalid', `the offer is not understood: ${error instanceof Error ? error.message : error}`)
    }
    await gathered
    const described = ended ? null : connection.localDescription()
    if (!described) throw new Error('no answer came of the offer')
    return withoutTrickle(described.sdp)
  }

  return { connection, answer, end }
}

function configOf({ port, bind }: Net): RtcConfig {
  return {
    iceServers: [],
    forceMediaTransport: true,
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
    ...(bind !== null && { bindAddress: bind }),
  }
}
