/** A PDF of pages in the format 16:9 with one color each (red, green, blue from 0 to 1). */
export function coloredPdf(colors: readonly [number, number, number][]): Buffer {
  const pages = colors.map((_, nth) => `${3 + nth * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages}] /Count ${colors.length} >>`,
    ...colors.flatMap(([r, g, b], nth) => {
      const content = `${r} ${g} ${b} rg 0 0 960 540 re f`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] /Contents ${4 + nth * 2} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  return pdfOf(objects)
}

/** A PDF file of these objects, numbered from 1; the first one is the catalogue. */
export function pdfOf(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((body, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
