import ndc, { type PeerConnection, type RtcConfig } from 'node-datachannel'
import { OfferError, removeTrickleOption } from './sdp.ts'

/*
 * A WebRTC connection to one browser, which publishes or subscribes. node-datachannel aborts the process when a worker
 * thread that used it ends, so this runs in a child process only.
 */

export interface NetworkOptions {
  /** The UDP port that all connections share. */
  port: number
  bind: string | null
  /** Addresses that are advertised in place of this machine's own. */
  hosts: readonly string[]
}

export interface Peer {
  readonly connection: PeerConnection
  /** Sets the remote offer and returns the answer after ICE gathering. Throws OfferError when libdatachannel rejects the offer. */
  answerOffer(offer: string): Promise<string>
  close(): void
}

/**
 * A peer that sent packets and then none for this time is disconnected: ICE consent (RFC 7675) takes half a minute to
 * expire, during which the seat stays taken. A network failure of a few seconds ends no connection.
 */
export const SILENCE_TIMEOUT_MS = 20_000

/** Time from the answer to the connected state. */
const CONNECT_TIMEOUT_MS = 15_000
const GATHERING_TIMEOUT_MS = 1000
const GATHERING_FAILURE = /Failed to gather local ICE candidates/
const FINAL_STATES = new Set(['disconnected', 'failed', 'closed'])

/** Opens a connection on the shared port. `onClose` is called once, whatever closes it. */
export function openPeer(name: string, network: NetworkOptions, onClose: () => void): Peer {
  const connection = new ndc.PeerConnection(name, rtcConfigOf(network))
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    clearTimeout(connectTimer)
    onClose()
    connection.close()
  }
  const connectTimer = setTimeout(close, CONNECT_TIMEOUT_MS)
  connection.onStateChange((state) => {
    if (state === 'connected') clearTimeout(connectTimer)
    if (FINAL_STATES.has(state)) close()
  })

  async function answerOffer(offer: string): Promise<string> {
    const gathered = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHERING_TIMEOUT_MS)
      connection.onGatheringStateChange((state) => {
        if (state !== 'complete') return
        clearTimeout(timer)
        resolve()
      })
    })
    try {
      connection.setRemoteDescription(offer, 'offer')
    } catch (error) {
      // A temporary failure of the library to use the port: the offer is valid, so the client may send it again.
      if (error instanceof Error && GATHERING_FAILURE.test(error.message)) throw error
      throw new OfferError('invalid', `the offer cannot be parsed: ${error instanceof Error ? error.message : error}`)
    }
    await gathered
    const description = isClosed ? null : connection.localDescription()
    if (!description) throw new Error('the offer produced no answer')
    return removeTrickleOption(description.sdp)
  }

  return { connection, answerOffer, close }
}

function rtcConfigOf({ port, bind }: NetworkOptions): RtcConfig {
  return {
    iceServers: [],
    forceMediaTransport: true,
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
    ...(bind !== null && { bindAddress: bind }),
  }
}
