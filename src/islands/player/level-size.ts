/** The usual name of a resolution: the shorter side, also of a portrait video. 0 without video. */
export const resolutionOf = ({ width, height }: { width: number; height: number }): number =>
  Math.min(width || height, height)
