/** The difference between the server's clock and this device's, from when an answer was asked for and came. */
export const clockOffsetMs = (serverNow: number, askedAt: number, cameAt: number): number =>
  serverNow - (askedAt + cameAt) / 2
