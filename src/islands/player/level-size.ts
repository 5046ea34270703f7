/** The usual name of a resolution: the shorter side, also of a portrait video. 0 when it has no picture. */
export const resolutionOf = ({ width, height }: { width: number; height: number }): number =>
  Math.min(width || height, height)
