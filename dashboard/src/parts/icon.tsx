/** Strokes on a grid of 24, drawn in the colour of the text. */
const SHAPES = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 8h6V4h-6z',
  jobs: 'M4 6h16M4 12h16M4 18h10',
  executions: 'M5 4l14 8-14 8z',
  calendar: 'M5 6h14v14H5zM5 10h14M9 3v4M15 3v4',
  whatIf: 'M9 9a3 3 0 1 1 4 2.8c-.8.4-1 1-1 2.2M12 17.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  approvals: 'M9 12l2 2 4-4M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  workers: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  audit: 'M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6',
  kpis: 'M4 20V10M10 20V4M16 20v-7M22 20H2',
  alerts: 'M12 4a6 6 0 0 0-6 6v4l-2 3h16l-2-3v-4a6 6 0 0 0-6-6M10 20h4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  play: 'M7 5l12 7-12 7z',
  pause: 'M8 5v14M16 5v14',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  plus: 'M12 5v14M5 12h14',
  retry: 'M4 12a8 8 0 1 0 3-6.2M4 4v5h5',
  stop: 'M6 6h12v12H6z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  check: 'M5 12l5 5 9-10',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  up: 'M6 15l6-6 6 6',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c0-4 4-6 8-6s8 2 8 6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  moon: 'M20 14A8 8 0 1 1 10 4a6.5 6.5 0 0 0 10 10',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  key: 'M14 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12M9.5 14.5L3 21M6 18l2 2',
  more: 'M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0',
  external: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
} as const

export type IconName = keyof typeof SHAPES

/** Decoration only: whatever it stands beside says the same in words. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  )
}
