import { renderSVG } from 'uqr'

/** A QR code of an address as SVG, with the margin that scanners need. */
export const renderQr = (url: string): string => renderSVG(url, { border: 4 })
