/** The offset of the server's clock from this device's in milliseconds, by the times of a request and its response. */
export const clockOffsetMs = (serverNow: number, requestedAt: number, receivedAt: number): number =>
  serverNow - (requestedAt + receivedAt) / 2
