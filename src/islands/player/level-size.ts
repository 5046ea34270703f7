/** What people call a resolution: its shorter side, also of a video that a phone held upright. 0 when it has no picture. */
export const resolutionOf = ({ width, height }: { width: number; height: number }): number =>
  Math.min(width || height, height)
