import { encode } from 'uqr'

/** The address as a picture for the camera of another phone: one path, black on white in any theme. */
export function Qr({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const dots = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  )
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width="176" height="176" aria-hidden="true">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  )
}
