/** Sizes, spaces and colours of the pages, light and dark by the reader's own setting. Each text colour has a contrast of 4.5 (WCAG AA) on its ground. */

export const TOKENS = `
:root {
  color-scheme: light dark;
  /* Type: each step is 1.2 times the one before. */
  --text-s: 0.875rem; --text-m: 1rem; --text-l: 1.2rem; --text-xl: 1.44rem; --text-xxl: 1.728rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, monospace;
  --space-1: 0.25rem; --space-2: 0.5rem; --space-3: 1rem; --space-4: 1.5rem; --space-5: 3rem;
  --round: 0.5rem;
  --measure: 44rem; --measure-wide: 72rem;
  --ground: #fbfaf7; --card: #fff; --quote: #f1eee6; --ink: #1c1b1a; --soft: #5a5650; --line: #d9d4ca; --edge: #7d776c;
  --accent: #0b5c5c; --on-accent: #fff; --tint: #e2efed;
  --good: #1f6b3a; --warn: #7a4b00; --danger: #a3232a; --on-danger: #fff; --danger-tint: #fbe9e7; --warn-tint: #fbf0d9;
  --line1: #1a5fb4; --line2: #b3410e; --line3: #6b3fa0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161615; --card: #1f1f1d; --quote: #2a2926; --ink: #ecebe6; --soft: #b0aca2; --line: #3b3a36; --edge: #8c887e;
    --accent: #7fd1c7; --on-accent: #0d2321; --tint: #1d302e;
    --good: #8fd6a4; --warn: #f0c674; --danger: #ff9b96; --on-danger: #3a0c0c; --danger-tint: #3a2020; --warn-tint: #352b17;
    --line1: #7db4ff; --line2: #ffab70; --line3: #d3a8ff;
  }
}`
