/** Where something made of a file lies in the object store, e.g. `captions/uk.vtt`. */
export const derivedKey = (tenantId: string, fileId: string, path: string): string =>
  `${tenantId}/${fileId}.made/${path}`

/** Whether the encoder made it: then its bytes are counted in the video's row too. */
export const isVideoOutput = (key: string): boolean => /\.made\/(hls\/|poster\/|storyboard\.)/.test(key)
