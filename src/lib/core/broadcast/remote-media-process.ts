import type { MediaProcess, MediaProcessError } from './media-process.ts'
import type { OutputCommand } from './output-protocol.ts'
import type { SfuFault, SfuRequest, SfuResponses } from './sfu/protocol.ts'

/*
 * One media process serves all web processes of an installation: the main process runs it, and web processes send their
 * requests to the main process.
 */

export interface RemoteRequest {
  mediaRequestId: number
  request: SfuRequest
}

export type RemoteResponse = { mediaRequestId: number } & ({ value: unknown } | { fault: SfuFault; message: string })

type RemoteMediaProcess = MediaProcess & { receive(response: RemoteResponse): void }

/**
 * The media process as a web process sees it. `send` sends a request to the main process, `receive` processes its
 * response.
 */
export function createRemoteMediaProcess(send: (request: RemoteRequest) => void): RemoteMediaProcess {
  const pendingRequests = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let requestCount = 0
  const request = <Response>(content: SfuRequest) =>
    new Promise<Response>((resolve, reject) => {
      const mediaRequestId = ++requestCount
      pendingRequests.set(mediaRequestId, { resolve, reject })
      send({ mediaRequestId, request: content })
    })
  return {
    start: async () => {},
    request,
    sendOutputCommand: (command: OutputCommand) => request({ op: 'output', command }),
    // Only the main process monitors the streams.
    onStreamState: () => () => {},
    onOutputEvent: () => () => {},
    onCodecMissing: () => () => {},
    // Only the main process can determine whether it runs, and starts it when a request needs it.
    pid: () => process.ppid,
    port: () => 0,
    close: async () => {},
    receive(response) {
      const pending = pendingRequests.get(response.mediaRequestId)
      pendingRequests.delete(response.mediaRequestId)
      if ('fault' in response) pending?.reject(Object.assign(new Error(response.message), { fault: response.fault }))
      else pending?.resolve(response.value as never)
    },
  }
}

/** Answers the request of a web process. Requests that end something start no media process. */
export async function answerRemoteRequest(
  mediaProcess: MediaProcess,
  { mediaRequestId, request }: RemoteRequest,
): Promise<RemoteResponse> {
  try {
    return { mediaRequestId, value: await runRequest(mediaProcess, request) }
  } catch (error) {
    const { fault = 'failed', message } = error as MediaProcessError
    return { mediaRequestId, fault, message }
  }
}

function runRequest(mediaProcess: MediaProcess, request: SfuRequest): Promise<unknown> {
  if (request.op === 'output') return mediaProcess.sendOutputCommand(request.command)
  const isIdle = mediaProcess.pid() === null
  if (isIdle && request.op in IDLE_RESPONSES) {
    return Promise.resolve(IDLE_RESPONSES[request.op as keyof typeof IDLE_RESPONSES])
  }
  return mediaProcess.request(request)
}

const IDLE_RESPONSES: Pick<SfuResponses, 'endSession' | 'disconnect' | 'closeRoom' | 'status'> = {
  endSession: { ended: false },
  disconnect: { ended: 0 },
  closeRoom: { ended: 0 },
  status: { streams: [], subscriberCount: 0, publisherCount: 0, cpuShare: 0, memoryBytes: 0 },
}
