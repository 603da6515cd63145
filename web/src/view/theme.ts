// Light, dark, or as the system has it; remembered where the browser allows it.

import { announce, byId } from '../dom';

const order = ['system', 'light', 'dark'] as const;
type Theme = (typeof order)[number];
const key = 'onnx-reduce-theme';

function stored(): Theme {
  try {
    const value = localStorage.getItem(key) as Theme | null;
    return value && order.includes(value) ? value : 'system';
  } catch {
    return 'system';
  }
}

let theme = stored();
const listeners: (() => void)[] = [];

/** Calls back when colours change, so that canvases can be drawn anew. */
export function onTheme(draw: () => void): void {
  listeners.push(draw);
}

function apply(): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const words = theme === 'system' ? 'as the system' : theme;
  const button = byId('theme');
  button.setAttribute('aria-label', `Theme: ${words}`);
  button.title = `Theme: ${words}`;
  button.dataset.theme = theme;
  for (const draw of listeners) draw();
}

export function startTheme(): void {
  byId('theme').addEventListener('click', () => {
    theme = order[(order.indexOf(theme) + 1) % order.length]!;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    apply();
    announce(`Theme: ${theme === 'system' ? 'as the system' : theme}`);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  apply();
}

/** A colour of the page's style as it is now, worked out for canvases. */
export function colour(name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
